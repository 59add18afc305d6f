import Script from 'next/script'
import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="https://chat.example.org/embed.js" data-label="Ask us" />
      </body>
    </html>
  )
}
