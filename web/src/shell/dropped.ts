/** What is dropped on the page: the browser never leaves it for that. */

/** Files go to `take`; anything else that the browser would open, and more files than one, are refused in a sentence. */
export function listenToDrops(take: (file: File) => void, refuse: (why: string) => void): void {
  document.addEventListener("dragover", (event) => {
    if (opens(event)) event.preventDefault(); // else it cannot be dropped here
  });
  document.addEventListener("drop", (event) => {
    if (!opens(event)) return;
    event.preventDefault();
    const files = event.dataTransfer?.files ?? [];
    if (files.length > 1) refuse(`${files.length} files found, one expected.`);
    else if (files[0]) take(files[0]);
    else refuse("A link found, a file expected.");
  });
}

/** Whether the browser would open it in the page's place: files, and links that are not put into a field. */
function opens({ dataTransfer, target }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  const field = target instanceof Element && target.closest("input, textarea") !== null;
  return types.includes("Files") || (types.includes("text/uri-list") && !field);
}
