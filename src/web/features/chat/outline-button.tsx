import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

interface OutlineButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** On a 20 by 20 grid, as those of the page's icons. */
  outline: string
  label: string
  ref?: Ref<HTMLButtonElement>
}

/** A small button with an icon that the first visit does not need. */
export function OutlineButton({ outline, label, className = '', ...rest }: OutlineButtonProps): ReactNode {
  return (
    <button type="button" className={`button quiet square small ${className}`} aria-label={label} title={label} {...rest}>
      <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d={outline} />
      </svg>
    </button>
  )
}
