const tag = document.querySelector('script')
const embed = new URLSearchParams(location.search).get('embed')
// With the name of an embed, the page shows that one, as the console does.
if (embed) {
  delete tag.dataset.label
  tag.dataset.embed = embed
}
const attribute = embed ? `data-embed="${embed}"` : 'data-label="Ask us"'

const actions = {
  open: () => window.Parley.open(),
  close: () => window.Parley.close(),
  prefill: () => window.Parley.prefill('What can you help me with?'),
  light: () => window.Parley.theme('light'),
  dark: () => window.Parley.theme('dark'),
}
document.addEventListener('DOMContentLoaded', () => {
  document.querySelector('#line').textContent = `<script src="${tag.src}" ${attribute} async></script>`
  for (const button of document.querySelectorAll('[data-do]')) button.addEventListener('click', actions[button.dataset.do])
})
