// On a narrow screen, the cells of a row stand below each other. The first one names the row. In a table of three columns
// and more, each other one stands below the heading of its column: see ../build.
new MutationObserver(() => {
  for (const table of document.querySelectorAll("table")) {
    const headings = [...table.querySelectorAll("th")].map(heading => heading.textContent);
    for (const cell of table.querySelectorAll("td")) {
      cell.dataset.heading = headings.length > 2 && cell.cellIndex > 0 ? headings[cell.cellIndex] ?? "" : "";
    }
  }
}).observe(document.body, { childList: true, subtree: true });
