/** What a name does at one place of a file. */
export interface Usage {
  /** `value`: handed on without being called. `base`: a class derives from it. `named`: a string that code looks it up by. */
  readonly role: 'call' | 'value' | 'base' | 'import' | 'type' | 'declaration' | 'named' | 'other'
  /** The function, method or class around the place; left out for code of the file itself. */
  readonly by?: Owner
  /** It is a member of something. Where the name stands whose type the receiver has; -1 where no single name has it. */
  readonly receiver?: number
  /** Where another name for it begins: of an import, a destructured property, or the variable that it is assigned to. */
  readonly alias?: number
  /** Of a `base`: the class that derives. Of a declaration: the class or function itself. */
  readonly declares?: Derived
}

export interface Owner {
  /** `Class.method` where it is in one. */
  readonly name: string
  readonly nameAt: number
  readonly isClass: boolean
}

export interface Derived {
  readonly name: string
  readonly nameAt: number
  /** It has a constructor of its own. */
  readonly constructs: boolean
  /** Where its constructor calls that of its base. */
  readonly superCalls: readonly number[]
  /** Reading it runs it. */
  readonly isAccessor?: true
  /** The functions that decorate it, and so get it. */
  readonly decorators?: readonly string[]
  /** Where the name of the type stands that a function says it returns. */
  readonly returns?: number
}
