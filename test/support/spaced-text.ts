/**
 * Source of a function for pages: the text of an element, with a space between blocks, as no white space of the page stands there. A hostname is one
 * word, wherever its lines may break. `keeps`: which of its text nodes count.
 */
export const spacedText = `((element, keeps = () => true) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (keeps(node)) text += (node.previousSibling?.nodeName === 'WBR' ? '' : ' ') + node.textContent;
  return text.replaceAll(/\\s+/g, ' ').trim();
})`;
