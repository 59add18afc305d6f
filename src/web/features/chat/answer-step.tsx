import type { ReactNode } from 'react'
import type { ChatMessagePart } from '../../../contract/message.ts'
import { say, useSay } from '../../language/say.ts'
import { Icon } from '../../ui/icon.tsx'

type ToolPart = Extract<ChatMessagePart, { toolCallId: string }>

type StepPart = ToolPart | Extract<ChatMessagePart, { type: 'reasoning' }>

/** What the agent did before it answered: thought, or used a tool. */
export default function AnswerStep({ part, isGrowing }: { part: StepPart; isGrowing: boolean }): ReactNode {
  return part.type === 'reasoning' ? <Reasoning text={part.text} /> : <ToolStep part={part} isGrowing={isGrowing} />
}

function Reasoning({ text }: { text: string }): ReactNode {
  useSay()
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        {say('Thoughts')}
      </summary>
      <p className="raw" dir="auto">
        {text}
      </p>
    </details>
  )
}

/** A tool that the agent used: one line, with its input and result to unfold. */
function ToolStep({ part, isGrowing }: { part: ToolPart; isGrowing: boolean }): ReactNode {
  useSay()
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        {toolTitle(part)}
        <span className="muted">{toolState(part, isGrowing)}</span>
      </summary>
      <dl>
        {part.input !== undefined && (
          <>
            <dt>{say('Input')}</dt>
            <Shown value={part.input} />
          </>
        )}
        {part.state === 'output-available' && (
          <>
            <dt>{say('Result')}</dt>
            <Shown value={part.output} />
          </>
        )}
        {part.state === 'output-error' && (
          <>
            <dt>{say('Error')}</dt>
            <Shown value={part.errorText} />
          </>
        )}
      </dl>
    </details>
  )
}

function Shown({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
}

function toolState({ state }: ToolPart, isGrowing: boolean): string {
  if (state === 'output-available') return ''
  if (state === 'output-error') return say('did not work')
  return isGrowing ? say('working…') : say('not finished')
}

/** The tool's title, or its name in words: `convert_units` and `convertUnits` become "Convert units". */
function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
