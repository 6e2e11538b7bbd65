mod solver;
