import type { ProjectFile } from './project.ts'

/** Names that an answer depended on, so that files which have not been read yet can be told from those that do not matter. */
export interface NameDependencies {
  /** Whatever declares it may matter. */
  declared(name: string): void
  /** Whatever mentions it may matter. */
  mentioned(name: string): void
  /** Whatever has this text in it, a word or not, may matter. */
  written(sign: string): void
}

export const NO_DEPENDENCIES: NameDependencies = { declared() {}, mentioned() {}, written() {} }

/** Passes names on, and says in which files they stand where these do not parse. */
export function trackNames(
  to: NameDependencies,
): NameDependencies & { unread(files: readonly ProjectFile[]): string[] } {
  const [declared, mentioned] = [new Set<string>(), new Set<string>()]
  let hasSigns = false
  return {
    declared(name) {
      declared.add(name)
      to.declared(name)
    },
    mentioned(name) {
      mentioned.add(name)
      to.mentioned(name)
    },
    written(sign) {
      hasSigns = true
      to.written(sign)
    },
    unread: files =>
      files.flatMap(({ path, code }) =>
        code.unread?.some(
          lines =>
            hasSigns ||
            lines.mentions.some(name => mentioned.has(name)) ||
            lines.declares.some(name => declared.has(name)),
        )
          ? path
          : [],
      ),
  }
}
