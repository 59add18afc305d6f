import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react'
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown'
import { createRoot } from 'react-dom/client'

const Message = () => (
  <MessagePrimitive.Root>
    <MessagePrimitive.Parts components={{ Text: MarkdownTextPrimitive }} />
  </MessagePrimitive.Root>
)

function Page() {
  const runtime = useChatRuntime({ transport: new AssistantChatTransport({ api: '/prompt' }) })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ Message }} />
          <ComposerPrimitive.Root>
            <ComposerPrimitive.Input />
            <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          </ComposerPrimitive.Root>
        </ThreadPrimitive.Viewport>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

createRoot(document.getElementById('root')).render(<Page />)
