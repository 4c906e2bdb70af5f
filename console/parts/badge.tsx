import { visibleLine } from './visible-text.ts'

/** What a colour means, everywhere. */
export type Meaning = 'allowed' | 'asked' | 'refused' | 'changed' | 'failed' | 'quiet'

/** A state as a dot and words, never by colour alone. */
export const Badge = ({
  meaning,
  words,
  title,
}: {
  readonly meaning: Meaning
  readonly words: string
  readonly title?: string
}) => (
  <span class={`badge ${meaning}`} title={title}>
    <span class="dot" aria-hidden="true" />
    <span class="words">{visibleLine(words)}</span>
  </span>
)
