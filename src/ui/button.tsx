import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  /** May return a promise, whose rejection is logged. */
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined
  icon?: IconName
  /** `solid` for the primary action, `outline` for secondary ones, `quiet` for the rest. */
  variant?: 'solid' | 'outline' | 'quiet'
  ref?: Ref<HTMLButtonElement>
}

/** A button of `type="button"`. */
export function Button({ icon, variant = 'quiet', className = '', children, onClick, ...rest }: ButtonProps): ReactNode {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    Promise.resolve(onClick?.(event)).catch(console.error)
  }
  return (
    <button type="button" className={`button ${variant} ${className}`} {...rest} onClick={click}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** An icon button. The label is its accessible name and tooltip. */
export function IconButton({ label, className = '', ...rest }: ButtonProps & { icon: IconName; label: string }): ReactNode {
  return <Button aria-label={label} title={label} className={`square ${className}`} {...rest} />
}
