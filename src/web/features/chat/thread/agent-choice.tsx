import { Fragment, type ReactNode } from 'react'
import type { PublicAgent } from '../../../../contract/config.ts'
import { t } from '../../../../ui/language/translate.ts'
import { RadioGroup } from '../../../../ui/radio-group.tsx'
import { chooseAgent } from '../../../state/configuration.ts'

export default function AgentChoice({ agents, chosen }: { agents: PublicAgent[]; chosen: string }): ReactNode {
  const options = agents.map(({ id, name, picture }) => {
    const label = (
      <Fragment key={id}>
        {picture && <img src={picture} alt="" width={24} height={24} />}
        <span dir="auto">{name}</span>
      </Fragment>
    )
    return [id, label] as const
  })
  return <RadioGroup legend={<span className="muted">{t('Chat with')}</span>} options={options} chosen={chosen} onChoose={chooseAgent} />
}
