import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { removePageContext, usePageContext } from '../../../state/page-context.ts'
import './page-context-chip.css'

/** Shows what the embedding page says about itself, which goes along with prompts until the visitor removes it. */
export default function PageContextChip(): ReactNode {
  const { context } = usePageContext()
  const { title = context['page'] ?? Object.values(context)[0] ?? '' } = context
  return (
    <div className="page-context">
      <details>
        <summary dir="auto">{t('Page: {title}', { title })}</summary>
        <dl>
          {Object.entries(context).map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <IconButton icon="close" label={t('Don’t send page details')} onClick={leaveOut} />
    </div>
  )
}

function leaveOut(): void {
  removePageContext()
  document.getElementById('composer')?.focus()
}
