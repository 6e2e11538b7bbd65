// Applies the theme that this browser has kept before anything is drawn: the settings arrive later.
// Not a module, because modules wait for the whole page.
try {
  document.documentElement.dataset.theme = localStorage.getItem("kalah.theme") ?? "";
} catch {
  // Without storage, the theme changes once the settings have arrived.
}
