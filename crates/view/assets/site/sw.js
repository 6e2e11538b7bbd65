// Caches the site, so that it needs no network after the first visit. The build puts VERSION and
// FILES before this. A new version waits until the pages of the old one are closed, and its files
// have other names, so that files of two versions never mix. All pages of an origin share its
// caches, so the names also contain the folder of this one.
const SCOPE = `kalah:${registration.scope}:`;
const CACHE = SCOPE + VERSION;

addEventListener("install", (event) => {
  // The page has just loaded most of the files, so they come from the browser's own cache.
  const files = [new Request("./", { cache: "no-cache" }), ...FILES];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith(SCOPE) && name !== CACHE).map((name) => caches.delete(name))));
  // Claims all open pages, including the one that has installed this.
  event.waitUntil(old.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const key = request.mode === "navigate" ? "./" : request;
  const kept = caches.open(CACHE).then((cache) => cache.match(key));
  event.respondWith(kept.then((found) => found ?? fetch(request)));
});
