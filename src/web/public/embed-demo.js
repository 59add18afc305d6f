const source = new URL('./embed.js', location.href)
document.querySelector('#line').textContent = `<script src="${source}" data-label="Ask us" async></script>`

const actions = {
  open: () => window.Parley.open(),
  close: () => window.Parley.close(),
  prefill: () => window.Parley.prefill('What can you help me with?'),
  light: () => window.Parley.theme('light'),
  dark: () => window.Parley.theme('dark'),
}
for (const button of document.querySelectorAll('[data-do]')) button.addEventListener('click', actions[button.dataset.do])
