// Names the installation and its contact in the accessibility statement.
const reply = await fetch('./api/v1/config')
const { name, privacy } = await reply.json()
document.title += ` · ${name}`
if (privacy.contact) document.getElementById('contact').textContent = privacy.contact
