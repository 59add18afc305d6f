import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'
import { createRoot } from 'react-dom/client'
import { Streamdown } from 'streamdown'

const transport = new DefaultChatTransport({
  api: '/prompt',
  prepareSendMessagesRequest: ({ messages }) => ({ body: { prompt: messages.at(-1).parts[0].text } }),
})

function Page({ earlier }) {
  const { messages, sendMessage, status } = useChat({ messages: earlier, transport })
  const send = (event) => {
    event.preventDefault()
    sendMessage({ text: event.target.elements.prompt.value }).catch(console.error)
  }
  return (
    <>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, index) => part.type === 'text' && <Streamdown key={index}>{part.text}</Streamdown>)}
        </article>
      ))}
      <form onSubmit={send} data-status={status}>
        <textarea id="composer" name="prompt" />
        <button>Send</button>
      </form>
    </>
  )
}

const earlier = await (await fetch('/messages.json')).json()
createRoot(document.getElementById('root')).render(<Page earlier={earlier} />)
