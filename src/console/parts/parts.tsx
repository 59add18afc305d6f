import { type ComponentProps, createElement, type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { UseQueryResult } from '@tanstack/react-query'
import { messageOf } from '../api.ts'
import { useAction, useLoaded } from '../use-call.ts'

/** A button for what matters less than the things around it. */
export function SmallButton(props: ComponentProps<typeof Button>): ReactNode {
  return <Button variant="outline" className="small" {...props} />
}

export function Failed({ message, onRetry }: { message: string; onRetry: () => void }): ReactNode {
  return (
    <div className="failed" role="alert">
      <p>{message}</p>
      <SmallButton icon="retry" onClick={onRetry}>
        {t('Try again')}
      </SmallButton>
    </div>
  )
}

interface LoadingProps<Reply> {
  query: UseQueryResult<Reply>
  children: (reply: Reply) => ReactNode
}

/** Renders the reply, a loading state or an error. What was loaded stays when reading it again fails. */
export function Show<Reply>({ query: { data, error, refetch }, children }: LoadingProps<Reply>): ReactNode {
  if (data !== undefined) return children(data)
  return error ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : <p className="muted">{t('Loading')}</p>
}

interface LoadedProps<Reply> extends Pick<LoadingProps<Reply>, 'children'> {
  path: string
  isChanging?: (reply: Reply) => boolean
}

/** Loads what the staff API has at the path, as `useLoaded`, and shows it. */
export function Loaded<Reply>({ path, isChanging, children }: LoadedProps<Reply>): ReactNode {
  return <Show query={useLoaded(path, isChanging)}>{children}</Show>
}

/** The way back to a list. */
export function Back({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <p>
      <a href={to}>{children}</a>
    </p>
  )
}

interface CardsProps<Item> {
  /** Accessible name, where no heading is just above. */
  name?: string
  items: readonly Item[]
  /** In place of an empty list. */
  empty?: ReactNode
  /** A list item with a key. */
  children: (item: Item) => ReactNode
}

export function Cards<Item>({ name, items, empty = null, children }: CardsProps<Item>): ReactNode {
  if (items.length === 0) return empty
  return (
    <ul className="cards" aria-label={name}>
      {items.map((item) => children(item))}
    </ul>
  )
}

interface SectionProps {
  name: string
  className: string
  children: ReactNode
}

/** A region with its heading. */
export function Section({ name, className, children }: SectionProps): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id}>{name}</h2>
      {children}
    </section>
  )
}

interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | false | undefined
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="muted">
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': Boolean(error) })}
      {error && (
        <p id={`${id}-error`} className="error">
          {error}
        </p>
      )}
    </div>
  )
}

type ControlProps<Tag extends 'input' | 'textarea' | 'select'> = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<Tag>, 'onChange'> & { onChange: (value: string) => void }

/** Makes a component for a control with its label, which hands over what is typed or chosen. */
function fieldOf<Tag extends 'input' | 'textarea' | 'select'>(tag: Tag): (props: ControlProps<Tag>) => ReactNode {
  return function ControlField({ label, hint, error, onChange, ...rest }) {
    const change = ({ target }: { target: { value: string } }) => onChange(target.value)
    return (
      <Field label={label} hint={hint} error={error}>
        {(ids) => createElement<object>(tag, { ...ids, ...rest, onChange: change })}
      </Field>
    )
  }
}

export const TextField = fieldOf('input')
export const TextAreaField = fieldOf('textarea')
export const SelectField = fieldOf('select')

interface ChoicesProps<Choice extends string> {
  all: readonly Choice[]
  chosen: readonly Choice[]
  nameOf: (choice: Choice) => string
  isDisabled?: boolean
  onChange: (chosen: Choice[]) => void
}

/** Checkboxes, of which any may be ticked. */
export function Choices<Choice extends string>({ all, chosen, nameOf, isDisabled, onChange }: ChoicesProps<Choice>): ReactNode {
  return all.map((choice) => (
    <label key={choice}>
      <input
        type="checkbox"
        disabled={isDisabled}
        checked={chosen.includes(choice)}
        onChange={({ target }) => onChange(all.filter((one) => (one === choice ? target.checked : chosen.includes(one))))}
      />
      {nameOf(choice)}
    </label>
  ))
}

/** Binds a field to a text of what is typed in a form. */
export const binding =
  <Key extends string>(typed: Readonly<Record<Key, string>>, change: (part: { [One in Key]?: string }) => void) =>
  (key: Key): { value: string; onChange: (value: string) => void } => ({
    value: typed[key],
    onChange: (value) => change({ [key]: value } as { [One in Key]?: string }),
  })

/** An option of a `SelectField`. */
export const option = (value: string, text: ReactNode): ReactNode => (
  <option key={value} value={value}>
    {text}
  </option>
)

/** Fields with defaults, folded until one has a problem. */
export function Details({ isNeeded, children }: { isNeeded: boolean; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(isNeeded)
  if (isNeeded && !isOpen) setOpen(true)
  return (
    <details className="passages" open={isOpen} onToggle={({ newState }) => setOpen(newState === 'open')}>
      <summary>{t('Details')}</summary>
      {children}
    </details>
  )
}

export function ActionError({ message }: { message: string }): ReactNode {
  return (
    <p className="error" role="alert">
      {message}
    </p>
  )
}

/** Says what has succeeded; it stays empty until then, so that screen readers announce it. */
export function Done({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className="good" role="status">
      {children}
    </p>
  )
}

interface FormProps {
  /** Accessible name. */
  name: string
  onSubmit: () => void
  className?: string
  children: ReactNode
}

/** A form that checks its fields itself. */
export function Form({ name, onSubmit, ...rest }: FormProps): ReactNode {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return <form {...rest} noValidate aria-label={name} onSubmit={submit} />
}

interface SubmitProps {
  text: string
  isDisabled: boolean
  error: string
  variant?: 'solid' | 'outline'
  /** Message of success; empty until then. */
  done?: string | false
  /** Closes a form that can be cancelled. */
  onClose?: () => void
}

/** The buttons of a form, and what became of sending it. */
export function Submit({ text, isDisabled, error, variant = 'solid', done, onClose }: SubmitProps): ReactNode {
  const submit = (
    <Button variant={variant} type="submit" disabled={isDisabled}>
      {text}
    </Button>
  )
  return (
    <>
      {onClose ? (
        <div className="actions">
          {submit}
          <Button variant="outline" disabled={isDisabled} onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      ) : (
        submit
      )}
      {done !== undefined && <Done>{done}</Done>}
      <ActionError message={error} />
    </>
  )
}

interface ConfirmProps {
  question: string
  explanation: string
  /** Sentence that must be ticked first. */
  accept?: string | undefined
  action: string
  isBusy: boolean
  error: string
  onConfirm(): void
  onClose(): void
}

/** Asks before something that others notice. */
export function Confirm({ question, explanation, accept, action, isBusy, error, onConfirm, onClose }: ConfirmProps): ReactNode {
  const id = useId()
  const [isAccepted, setAccepted] = useState(accept === undefined)
  return (
    <Dialog open className="confirm" labelledBy={id} onClose={onClose}>
      <h2 id={id}>{question}</h2>
      <p dir="auto">{explanation}</p>
      {accept !== undefined && (
        <label dir="auto">
          <input type="checkbox" checked={isAccepted} onChange={({ target }) => setAccepted(target.checked)} /> {accept}
        </label>
      )}
      <ActionError message={error} />
      <div className="actions">
        <Button variant="outline" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button variant="solid" disabled={isBusy || !isAccepted} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

interface ActionButtonProps {
  /** Accessible name, where several buttons say the same. */
  label?: string
  isDisabled?: boolean
  act: () => Promise<unknown>
  children: ReactNode
}

/** A button that acts at once; if that fails, the reason stands beside it. */
export function ActionButton({ label, isDisabled = false, act, children }: ActionButtonProps): ReactNode {
  const { run, isBusy, error } = useAction()
  return (
    <>
      <SmallButton disabled={isBusy || isDisabled} aria-label={label} onClick={() => run(act)}>
        {children}
      </SmallButton>
      {error && <ActionError message={error} />}
    </>
  )
}

interface ConfirmButtonProps extends Pick<ConfirmProps, 'question' | 'explanation' | 'action'> {
  label?: string
  /** Text of the button, if it isn’t the action. */
  text?: string
  isMain?: boolean
  isDisabled?: boolean
  act: () => Promise<unknown>
}

export function ConfirmButton({ label, text, isMain = false, isDisabled = false, act, ...asked }: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const confirm = () => run(() => act().then(() => setAsking(false)))
  const look = isMain ? ({ variant: 'solid' } as const) : ({ variant: 'outline', className: 'small' } as const)
  return (
    <>
      <Button {...look} aria-label={label} disabled={isDisabled} onClick={() => setAsking(true)}>
        {text ?? asked.action}
      </Button>
      {isAsking && <Confirm {...asked} isBusy={isBusy} error={error} onConfirm={confirm} onClose={() => setAsking(false)} />}
    </>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

export function Tile({ name, hint, children }: { name: string; hint?: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint && <dd className="muted">{hint}</dd>}
    </div>
  )
}

export function Time({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{t.time(at, { dateStyle: 'medium', timeStyle: 'short' })}</time>
}
