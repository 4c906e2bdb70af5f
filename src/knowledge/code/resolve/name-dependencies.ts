import type { ProjectFile } from './project.ts'

/** Names that an answer depended on: files that contain none of them need not be read. */
export interface NameDependencies {
  /** Every file that declares it may matter. */
  declared(name: string): void
  /** Every file that mentions it may matter. */
  mentioned(name: string): void
  /** Every file that contains this text, a word or not, may matter. */
  written(sign: string): void
}

export const NO_DEPENDENCIES: NameDependencies = { declared() {}, mentioned() {}, written() {} }

/** Passes names on, and returns the unparsable files that mention them. */
export function trackNames(
  to: NameDependencies,
): NameDependencies & { unread(files: readonly ProjectFile[]): string[] } {
  const [declaredNames, mentionedNames] = [new Set<string>(), new Set<string>()]
  let hasSigns = false
  return {
    declared(name) {
      declaredNames.add(name)
      to.declared(name)
    },
    mentioned(name) {
      mentionedNames.add(name)
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
            lines.mentions.some(name => mentionedNames.has(name)) ||
            lines.declares.some(name => declaredNames.has(name)),
        )
          ? path
          : [],
      ),
  }
}
