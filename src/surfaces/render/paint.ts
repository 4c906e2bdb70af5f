export type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold' | 'hit'

/** Colours a text, or leaves it unchanged if colours are off. */
export type Paint = (colour: Colour, text: string) => string

/** How to show an answer: whether in colours, and which hits to mark. */
export interface Style {
  readonly paint: Paint
  /** Matches the hits of a search; global. */
  readonly hits?: RegExp | undefined
  /** Most characters of a cell in a table. Default: as many as a terminal has room for. */
  readonly widest?: number
  /** Separates the cells of a table by tabs instead of padding them. */
  readonly tabs?: boolean
}
