import { createRoot } from 'react-dom/client'
import { Chat } from './chat'

createRoot(document.querySelector('#app')!).render(<Chat />)
