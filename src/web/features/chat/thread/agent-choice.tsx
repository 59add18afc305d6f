import type { ReactNode } from 'react'
import type { PublicAgent } from '../../../../contract/config.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { chooseAgent } from '../../../state/configuration.ts'
import './agent-choice.css'

export default function AgentChoice({ agents, chosen }: { agents: PublicAgent[]; chosen: string }): ReactNode {
  const t = useTranslate()
  return (
    <fieldset className="agents">
      <legend className="muted">{t('Chat with')}</legend>
      {agents.map(({ id, name, picture }) => (
        <label key={id}>
          <input type="radio" name="agent" checked={id === chosen} onChange={() => chooseAgent(id)} />
          {picture && <img src={picture} alt="" width={24} height={24} />}
          <span dir="auto">{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
