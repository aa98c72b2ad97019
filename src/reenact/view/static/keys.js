// Keyboard shortcuts; typing in a field is left alone.

function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    const field = event.target.closest && event.target.closest("select, input:not([type=range]), textarea");
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (field && event.key !== " ")) return;
    event.preventDefault();
    if (event.key === " " && event.target.blur) event.target.blur(); // or the button in focus would be pressed too
    action();
  });
}
