import { gitEmbedded } from './git-embedded.ts'

/** What the arguments of a program make it run. */
export interface Embedded {
  readonly commands: readonly (readonly string[])[]
  /** Texts that are read as a command line. */
  readonly scripts: readonly string[]
  /** Texts that may be read as one. */
  readonly guesses?: readonly string[]
  /** It runs something that its arguments do not show. */
  readonly hidden?: boolean
}

const NOTHING: Embedded = { commands: [], scripts: [] }

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish', 'rbash', 'csh', 'tcsh'])

export const isShell = (name: string): boolean => SHELLS.has(name)

/** The commands and scripts in the arguments of the program of this name; `input` is what it would read, where that is known. */
export function embeddedIn(name: string, words: readonly string[], input: string | undefined): Embedded {
  if (isShell(name) || name === 'su' || name === 'runuser' || name === 'script') return shellScript(words, input)
  return READ.get(name)?.(words) ?? NOTHING
}

const READ = new Map<string, (words: readonly string[]) => Embedded>([
  ['eval', words => ({ commands: [], scripts: [words.slice(1).join(' ')] })],
  ['trap', words => ({ commands: [], scripts: words.slice(1, 2) })],
  ['alias', words => ({ commands: [], scripts: words.slice(1).map(word => word.slice(word.indexOf('=') + 1)) })],
  [
    'watch',
    words => ({
      commands: [],
      scripts: [
        words
          .slice(1)
          .filter(word => !word.startsWith('-'))
          .join(' '),
      ],
    }),
  ],
  ['flock', valueOf(/^-\w*c$|^--command$/)],
  ['env', valueOf(/^-\w*S$|^--split-string$/, /^(?:-S|--split-string=)([^]+)$/)],
  ['bind', words => ({ ...NOTHING, guesses: words.slice(1).map(word => word.replace(/^[^:]*:/, '')) })],
  ['compgen', valueOf(/^-C$/)],
  ['complete', valueOf(/^-C$/)],
  ['mapfile', valueOf(/^-C$/)],
  ['readarray', valueOf(/^-C$/)],
  ['hash', valueOf(/^-p$/)],
  ['jobs', words => ({ commands: words[1] === '-x' ? [words.slice(2)] : [], scripts: [] })],
  ['find', findCommands],
  ['rg', valueOf(/^--(pre|hostname-bin)$/, /^--(?:pre|hostname-bin)=([^]+)$/)],
  ['sort', valueOf(/^--comp[a-z-]*$/, /^--comp[a-z-]*=([^]+)$/)],
  ['man', valueOf(/^(-P|--pager|-H|--html)$/, /^(?:-P|--pager=|-H|--html=)([^]+)$/)],
  ['tar', valueOf(/^(-I|--use-compress-program|--to-command|--checkpoint-action)$/, /^--[a-z-]+=(?:exec=)?([^]+)$/)],
  ['zip', valueOf(/^-TT$/)],
  ['rsync', valueOf(/^(-e|--rsh)$/, /^--rsh=([^]+)$/)],
  ['vim', words => ({ commands: [], scripts: words.flatMap(word => /!([^]+)$/.exec(word)?.slice(1) ?? []) })],
  ['awk', quotedTexts],
  ['gawk', quotedTexts],
  ['mawk', quotedTexts],
  ['git', gitEmbedded],
])

/** The value of an option, in the next word or in the same. */
function valueOf(option: RegExp, joined?: RegExp): (words: readonly string[]) => Embedded {
  return words => ({
    commands: [],
    scripts: words.flatMap((word, at) => {
      if (option.test(word)) return words.slice(at + 1, at + 2)
      return joined?.exec(word)?.slice(1) ?? []
    }),
  })
}

function shellScript(words: readonly string[], input: string | undefined): Embedded {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-[A-Za-z]*c/.test(word)) {
      const script = words.slice(at + 1).find(next => !/^[-+]/.test(next))
      return script === undefined ? { ...NOTHING, hidden: true } : { commands: [], scripts: [script] }
    }
    if (/^[-+][oO]$|^--(rcfile|init-file)$/.test(word)) at++
    else if (!/^[-+]/.test(word)) return NOTHING
    else if (word === '-s') break
  }
  return input === undefined ? { ...NOTHING, hidden: true } : { commands: [], scripts: [input] }
}

function findCommands(words: readonly string[]): Embedded {
  const commands: (readonly string[])[] = []
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[at] ?? '')) continue
    const start = at + 1
    while (at < words.length && words[at] !== ';' && words[at] !== '+') at++
    commands.push(words.slice(start, at))
  }
  return { commands, scripts: [] }
}

/** The strings of a program text, any of which may be handed to a shell. */
function quotedTexts(words: readonly string[]): Embedded {
  return { ...NOTHING, guesses: words.flatMap(word => [...word.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)) }
}
