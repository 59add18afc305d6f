import { type ReactNode, useState } from 'react'
import { MAX_EMBED_PROMPTS } from '../../contract/size-limits.ts'
import type { EmbedList, EmbedText } from '../../contract/staff/content/embeds.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { joined, linesIn } from '../format.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { Back, binding, ConfirmButton, Form, Loaded, option, SelectField, Submit, TextAreaField, TextField } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { useForm } from '../use-call.ts'
import { useHashParts } from '../use-hash.ts'

type Listed = EmbedList['embeds'][number]

const NEW = 'new'
const NAME = /^[a-z0-9-]{1,40}$/
const COLORS = /^#[0-9a-f]{6}(\s*,\s*#[0-9a-f]{6})?$/i
const isLimit = (value: string) => value === '' || (/^[1-9]\d*$/.test(value) && Number(value) <= MAX_EMBED_PROMPTS)
const isOrigin = (line: string) => URL.canParse(line) && new URL(line).origin === line
const addressOf = (name: string) => `#/embeds/${name}`

const COLUMNS: Columns<Listed> = {
  name: { name: defineMessage('Name'), value: ({ name }) => name, show: ({ name }) => <a href={addressOf(`edit/${name}`)}>{name}</a> },
  label: { name: defineMessage('Label of the button'), value: ({ embed }) => embed.label ?? null },
  agent: { name: defineMessage('Agent'), value: ({ embed }) => embed.agent ?? t('Default agent') },
  sites: {
    name: defineMessage('Sites that may embed it'),
    value: ({ embed }) => (embed.origins ? joined(...embed.origins) : 'FRAME_ANCESTORS'),
  },
  source: { name: defineMessage('Source'), value: ({ revision }) => (revision === null ? t('From files (read-only)') : t('Console')) },
}

export function Embeds(): ReactNode {
  const { may } = useStaff()
  const [, action = '', name = ''] = useHashParts()
  const canChange = may('change-agents')
  return (
    <Loaded<EmbedList> path="embeds">
      {({ embeds }) => {
        const shown = embeds.find((embed) => action === 'edit' && embed.name === name)
        if (shown || (action === NEW && canChange)) return <One key={name} listed={shown} canChange={canChange} />
        return (
          <>
            <p>{t('A named embed puts the chat on other sites by one line. Its texts and colours change here, not in each page.')}</p>
            {canChange && (
              <p>
                <a className="button solid" href={addressOf(NEW)}>
                  {t('New embed')}
                </a>
              </p>
            )}
            {embeds.length === 0 ? (
              <p className="notice">{t('There are no embeds yet.')}</p>
            ) : (
              <section className="list" aria-label={t('Embeds')}>
                <DataTable name={t('Embeds')} rows={embeds} columns={COLUMNS} keyOf={(embed) => embed.name} />
              </section>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function One({ listed, canChange }: { listed: Listed | undefined; canChange: boolean }): ReactNode {
  return (
    <>
      <Back to="#/embeds">{t('All embeds')}</Back>
      <Loaded<InstallationStatus> path="status">
        {(status) => (
          <>
            {listed && <Shown listed={listed} chat={status.chat} />}
            {listed?.revision === null && <p className="muted">{t('From files (read-only)')}</p>}
            {canChange && listed?.revision !== null && <EmbedForm key={listed?.revision} listed={listed} status={status} />}
            {canChange && listed && listed.revision !== null && (
              <div className="actions">
                <ConfirmButton
                  question={t('Delete “{name}”?', { name: listed.name })}
                  explanation={t('Pages with its line no longer show a chat.')}
                  action={t('Delete')}
                  act={() => call('DELETE', `embeds/${listed.name}`).then(() => (location.hash = '#/embeds'))}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** The line to copy, and the embed as sites have it. */
function Shown({ listed: { name, revision }, chat }: { listed: Listed; chat: string }): ReactNode {
  const line = `<script src="${chat}/embed.js" data-embed="${name}" async></script>`
  return (
    <section aria-labelledby="embed" className="embed">
      <h2 id="embed" dir="auto">
        {name}
      </h2>
      <p>{t('Add this line to the pages of the site. They show a change within five minutes.')}</p>
      <code dir="ltr">{line}</code>
      <CopyButton text={line} label={t('Copy the line')} />
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- The chat's own page needs its origin and scripts, which together void a sandbox. */}
      <iframe key={revision} src={`${chat}/embed-demo.html?embed=${name}`} title={t('Preview of {name}', { name })} />
    </section>
  )
}

/** The form as an embed: without what is left empty. */
function embedOf({ origins, starters, promptsPerDay, ...texts }: Typed): EmbedText {
  const given = Object.entries(texts).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]]))
  const [sites, questions] = [linesIn(origins), linesIn(starters)]
  const limit = promptsPerDay.trim() && { promptsPerDay: Number(promptsPerDay) }
  return {
    ...Object.fromEntries(given),
    ...limit,
    ...(sites.length > 0 && { origins: sites }),
    ...(questions.length > 0 && { starters: questions }),
  }
}

const typedOf = (embed: EmbedText = {}) => ({
  agent: embed.agent ?? '',
  origins: (embed.origins ?? []).join('\n'),
  label: embed.label ?? '',
  greeting: embed.greeting ?? '',
  starters: (embed.starters ?? []).join('\n'),
  color: embed.color ?? '',
  theme: embed.theme ?? '',
  promptsPerDay: String(embed.promptsPerDay ?? ''),
})
type Typed = ReturnType<typeof typedOf>

function EmbedForm({ listed, status: { agents, steps } }: { listed: Listed | undefined; status: InstallationStatus }): ReactNode {
  const [name, setName] = useState(listed?.name ?? '')
  const [typed, setTyped] = useState(typedOf(listed?.embed))
  const found = {
    name: !NAME.test(name) && t('Enter lowercase letters, digits and hyphens.'),
    origins: !linesIn(typed.origins).every(isOrigin) && t('Enter addresses like https://www.example.org, without a path.'),
    color: typed.color.trim() !== '' && !COLORS.test(typed.color.trim()) && t('Enter a colour like #14634b.'),
    promptsPerDay:
      !isLimit(typed.promptsPerDay.trim()) && t('Enter a whole number from {min} to {max}.', { min: 1, max: MAX_EMBED_PROMPTS }),
  }
  const { submit, isBusy, error, mistakes } = useForm(found, async () => {
    await call('POST', `embeds/${name}`, { embed: embedOf(typed), basedOn: listed?.revision ?? 0 })
    location.hash = addressOf(`edit/${name}`)
  })
  const of = binding(typed, (part) => setTyped({ ...typed, ...part }))
  const isFirst = steps.some(({ step, isDone }) => step === 'site' && !isDone)
  return (
    <Form onSubmit={submit} name={listed ? t('Change the embed') : t('New embed')}>
      {!listed && (
        <TextField
          label={t('Name')}
          hint={t('Part of the line, such as library.')}
          error={mistakes.name}
          dir="ltr"
          maxLength={40}
          value={name}
          onChange={setName}
        />
      )}
      <TextField label={t('Label of the button')} dir="auto" maxLength={80} {...of('label')} />
      <TextAreaField
        label={t('Sites that may embed it')}
        hint={t('One per line, such as https://www.example.org. Without any, those of FRAME_ANCESTORS.')}
        error={mistakes.origins}
        dir="ltr"
        rows={2}
        {...of('origins')}
      />
      <SelectField label={t('Agent')} {...of('agent')}>
        <option value="">{t('Default agent')}</option>
        {agents.map((agent) => option(agent.id, agent.name))}
      </SelectField>
      <TextAreaField label={t('Greeting')} dir="auto" rows={2} {...of('greeting')} />
      <TextAreaField label={t('Suggested questions')} hint={t('One per line, at most six.')} dir="auto" rows={3} {...of('starters')} />
      <TextField
        label={t('Colour')}
        hint={t('Such as #14634b, or one for each theme: #14634b, #82d3b3.')}
        error={mistakes.color}
        dir="ltr"
        maxLength={40}
        {...of('color')}
      />
      <SelectField label={t('Theme')} {...of('theme')}>
        <option value="">{t('As the page')}</option>
        <option value="light">{t('Light')}</option>
        <option value="dark">{t('Dark')}</option>
      </SelectField>
      <TextField
        label={t('Prompts per day (UTC)')}
        hint={t('All visitors of this embed together.')}
        error={mistakes.promptsPerDay}
        inputMode="numeric"
        maxLength={8}
        {...of('promptsPerDay')}
      />
      {isFirst && <p className="muted">{t('With the first embed, the privacy notice names other sites, and visitors are asked again.')}</p>}
      <Submit isDisabled={isBusy} error={error} text={t('Save')} />
    </Form>
  )
}
