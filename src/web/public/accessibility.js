// Names the installation and its contact in the accessibility statement.
fetch('./api/v1/config')
  .then((reply) => reply.json())
  .then(({ name, privacy }) => {
    document.title += ` · ${name}`
    if (privacy.contact) document.getElementById('contact').textContent = privacy.contact
  })
  .catch(console.error)
