/** Files of the knowledge that every installation begins with. They are about the chat, not about the site. */
export const SHIPPED_FILES: readonly string[] = ['about.md', 'privacy.md', 'using-the-chat.md']
