import { type ReactNode, useId } from 'react'
import './radio-group.css'

interface RadioGroupProps<Value> {
  legend: ReactNode
  options: readonly (readonly [value: Value, label: ReactNode])[]
  chosen: Value
  onChoose(value: Value): void
  describedBy?: string
  children?: ReactNode
}

/** A choice of one, with the browser's own radio buttons and keys. */
export function RadioGroup<Value>({ legend, options, chosen, onChoose, describedBy, children }: RadioGroupProps<Value>): ReactNode {
  const name = useId()
  return (
    <fieldset className="radios" aria-describedby={describedBy}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={String(value)}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
      {children}
    </fieldset>
  )
}
