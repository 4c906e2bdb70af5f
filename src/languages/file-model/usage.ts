/** The usage of a name at one place of a file. */
export interface Usage {
  /**
   * `value`: passed on without being called. `base`: a class derives from it. `named`: a string that code looks it up
   * by.
   */
  readonly role: 'call' | 'value' | 'base' | 'import' | 'type' | 'declaration' | 'named' | 'other'
  /** The function, method or class around the place; undefined for top-level code. */
  readonly by?: Owner
  /** Set for a member. The position of the name that has the receiver's type; -1 if no single name has it. */
  readonly receiver?: number
  /** The key of an object pattern, which reads the member. */
  readonly isTaken?: true
  /** The start of an alias: of an import, a destructured property, or the variable that it is assigned to. */
  readonly alias?: number
  /** Of a `base`: the derived class. Of a declaration: the class or function itself. */
  readonly declares?: Derived
}

export interface Owner {
  /** `Class.method` for a member. */
  readonly name: string
  readonly nameAt: number
  readonly isClass: boolean
}

export interface Derived {
  readonly name: string
  readonly nameAt: number
  /** It has a constructor of its own. */
  readonly constructs: boolean
  /** Positions where its constructor calls the base's. */
  readonly superCalls: readonly number[]
  /** Reading it runs it. */
  readonly isAccessor?: true
  /** Its decorators, which receive it as an argument. */
  readonly decorators?: readonly string[]
  /** Position of the name of a function's declared return type. */
  readonly returns?: number
}
