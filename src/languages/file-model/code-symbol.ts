/** A named piece of code with its exact place. */
export interface CodeSymbol {
  readonly name: string
  readonly kind: 'function' | 'method' | 'class' | 'interface' | 'type' | 'enum' | 'variable' | 'module'
  /** 1-based, inclusive. */
  readonly from: number
  readonly to: number
  /** The enclosing symbols, outermost first. */
  readonly within: readonly string[]
  readonly exported: boolean
}
