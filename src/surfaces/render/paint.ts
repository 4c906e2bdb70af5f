export type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold' | 'hit'

/** Returns a text a colour, or leaves it as it is where colours are off. */
export type Paint = (colour: Colour, text: string) => string

/** How an answer is shown: in colours or not, and with which hits marked. */
export interface Style {
  readonly paint: Paint
  /** Finds what a search looked for; global. */
  readonly hits?: RegExp | undefined
}
