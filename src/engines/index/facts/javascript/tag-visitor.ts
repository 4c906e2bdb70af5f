import type { Visitor } from './visit.ts'

/** What is known of a file when its tags are decided. */
export interface TagContext {
  /** Names inside the file that are exported. */
  readonly locals: ReadonlySet<string>
  readonly hasDefault: boolean
  readonly kinds: ReadonlySet<string>
}

export interface TagVisitor extends Visitor {
  tags(context: TagContext): ReadonlySet<string>
}
