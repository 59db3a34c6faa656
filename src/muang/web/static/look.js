// Sets the look chosen earlier before anything is drawn; loaded as a plain script in the head for that reason.
try {
  const kept = JSON.parse(localStorage.getItem("muang.look") || '"auto"');
  if (kept === "light" || kept === "dark") document.documentElement.dataset.look = kept;
} catch {
  // as the system is
}
