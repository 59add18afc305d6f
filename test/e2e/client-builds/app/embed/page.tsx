import { ParleyChat } from '@parley/client/react'

export default function Page() {
  return <ParleyChat url="https://chat.example.org" label="Ask us" style={{ height: 640 }} />
}
