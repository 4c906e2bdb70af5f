import { isRefused } from './index-paths.ts'
import { isRefName } from './valid-repository.ts'

/** One shell-quoted word, as git writes it. */
const QUOTED = String.raw`'[^'!]*'(?:\\['!]'[^'!]*')*`
const ID = '(?:[0-9a-f]{40}|[0-9a-f]{64})'

const lines = (pattern: string) => {
  const line = new RegExp(`^(?:${pattern})$`)
  return (text: string): boolean =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .every(one => line.test(one))
}

/**
 * Forms of git's state files. Git, and older shell scripts of it, read options, file names and even commands from these
 * files. Anything outside these forms does not come from git.
 */
const FORMS: readonly (readonly [RegExp, (text: string) => boolean])[] = [
  [/^refs\//, text => isReference(text)],
  [/^packed-refs$/, isPackedRefs],
  [
    /^(ORIG_HEAD|MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|BISECT_EXPECTED_REV|shallow)$/,
    lines(ID),
  ],
  [/^FETCH_HEAD$/, lines(`(?:${ID}\\t(?:not-for-merge)?\\t.*)?`)],
  [/^MERGE_RR$/, isRerere],
  [/^BISECT_NAMES$/, lines(`(?: *${QUOTED})* *`)],
  [/^BISECT_TERMS$/, lines(String.raw`[\w.+][\w.+-]*`)],
  [/^BISECT_START$/, text => isReferencePath(`refs/heads/${text.trimEnd()}`)],
  [
    /^BISECT_LOG$/,
    lines(String.raw`(?:#.*|git[ -]bisect [\w.+][\w.+-]*(?: +(?:${QUOTED}|[\w./=@^~][\w./=@^~-]*|--))*)? *`),
  ],
  [/^rebase-(apply|merge)\/author-script$/, lines(`(?:GIT_AUTHOR_(?:NAME|EMAIL|DATE)=${QUOTED})?`)],
  [/^rebase-(apply|merge)\/autostash$/, lines(ID)],
  [/^rebase-(apply|merge)\/head-name$/, text => text.trimEnd() === 'detached HEAD' || isRefName(text.trimEnd())],
  [
    /^rebase-apply\/apply-opt$/,
    lines(String.raw`(?: *'(?:--whitespace=[\w-]+|-[Cp]\d+|--ignore-(?:space-change|whitespace)|--reject)')* *`),
  ],
]

/** Reports whether a file of `.git` holds content that git would not write. The name is relative to `.git`. */
export const isForeignState = (name: string, text: string): boolean =>
  FORMS.some(([pattern, isGits]) => pattern.test(name) && !isGits(text))

/** Reports whether git would accept this as a reference name and create it. */
export const isReferencePath = (name: string): boolean => isRefName(name) && !/^refs\/(heads|tags)\/-/.test(name)

const isReference = (text: string): boolean => {
  const target = /^ref: (.*)\n?$/.exec(text)?.[1]
  return target === undefined ? new RegExp(`^${ID}\\n?$`).test(text) : isRefName(target)
}

function isPackedRefs(text: string): boolean {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .every(line => {
      if (line === '' || line.startsWith('# pack-refs with:')) return true
      const [, name] = PACKED.exec(line) ?? []
      return name === undefined ? PEELED.test(line) : isReferencePath(name)
    })
}

const PACKED = new RegExp(`^${ID} (.+)$`)
const PEELED = new RegExp(`^\\^${ID}$`)

function isRerere(text: string): boolean {
  return text
    .split('\0')
    .slice(0, -1)
    .every(entry => {
      const [, path] = /^[0-9a-f]{40,64}(?:\.\d+)?\t([^]+)$/.exec(entry) ?? []
      return path !== undefined && !isRefused(path)
    })
}
