import type { ComponentChildren } from 'preact'
import type { Meaning } from './badge.tsx'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress: () => void
  readonly meaning?: Meaning
  readonly keyName?: string | undefined
  readonly isSmall?: boolean
  readonly isOff?: boolean
  readonly isPressed?: boolean
  readonly title?: string | undefined
}

/** A button with the key that does the same. */
export const Button = ({ children, onPress, meaning, keyName, isSmall, isOff, isPressed, title }: ButtonProps) => (
  <button
    type="button"
    class={['button', meaning, isSmall && 'small'].filter(Boolean).join(' ')}
    disabled={isOff}
    title={title}
    {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
    onClick={onPress}
  >
    <span>{children}</span>
    {keyName !== undefined && <Key name={keyName} />}
  </button>
)

const SIGNS: Readonly<Record<string, string>> = { Enter: '⏎', Escape: 'esc', ArrowUp: '↑', ArrowDown: '↓' }

/** The name of a key as people know it. It is no part of a button's name. */
export const Key = ({ name }: { readonly name: string }) => (
  <kbd class="key" aria-hidden="true">
    {SIGNS[name] ?? (/^[A-Z]$/.test(name) ? `⇧${name}` : name)}
  </kbd>
)
