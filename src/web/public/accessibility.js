// Names the operator's contact in the accessibility statement.
const reply = await fetch('./api/v1/config')
const { privacy } = await reply.json()
if (privacy.contact) document.getElementById('contact').textContent = privacy.contact
