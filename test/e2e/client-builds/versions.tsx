import { createParleyTransport } from '@parley/client'
import { useChat as useChat5 } from 'react-v5'
import { useChat as useChat6 } from 'react-v6'

const transport = createParleyTransport({ url: 'https://chat.example.org', consent: () => true })

export const useVersion5 = () => useChat5({ id: 'five', transport })
export const useVersion6 = () => useChat6({ id: 'six', transport })
