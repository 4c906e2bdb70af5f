import type { Concern } from '../concern.ts'
import { literalOf, type Word } from '../script.ts'
import { programs } from './program.ts'
import type { Reading } from './reading.ts'

/** Programs for the clock, processes, manuals and the network. */
export const SYSTEM = programs({
  date: {
    does: 'read',
    operands: 'texts',
    flags: 'uRjn',
    options: '-d= -r@ --date= --utc --universal --rfc-email --rfc-2822 --iso-8601? --rfc-3339= --reference@ --debug',
    risky: '-s= -f@ --set= --file@',
    shapes: /^-I(date|hours|minutes|seconds|ns)?$/,
    judge: ({ operands }) =>
      operands.flatMap(({ at, word }) => (/^["']?\+/.test(word.source) ? [] : [{ at, what: 'it may set the clock' }])),
  },
  ps: {
    does: 'read',
    operands: 'texts',
    flags: 'aAdefFlyjwHNTMLmcVZ',
    // With an `x` that is no name, the letters are read as if they had no dash.
    shapes: /^-[acfjlmuvwSTr]*x[acfjlmuvwxSTr]*$/,
    options: `-o= -axo= -O= -p= -q= -s= -t= -u= -U= -g= -G= -C= -k= --sort= --forest --pid= --ppid= --user= --User= --group= --Group= --format=
    --no-headers --headers --width= --cols= --columns= --rows= --lines= --deselect --tty= --sid= --quick-pid=`,
    judge: environmentConcerns,
  },
  man: {
    does: 'read',
    operands: 'texts',
    flags: 'kfwWai',
    options:
      '-s= -S= --apropos --whatis --where --path --where-cat --all --sections= --ignore-case --match-case --names-only',
    risky:
      '-P! -H? -C@ -M@ -T? -l -p= -X? -r= -m= -L= -R= -E= --pager! --html? --config-file@ --manpath@ --preprocessor= --local-file',
    check: text => (/^[\w.+:-]+$/.test(text) ? undefined : 'it may be the name of a file'),
  },
  ssh: {
    does: 'run',
    operands: 'texts',
    // Options after the host also belong to it.
    flags: 'qTtnvVNC46',
    options: '-p= -l= -b= -c= -m=',
    risky: '-o= -F@ -E> -S= -i@ -J= -L= -R= -D= -W= -w= -I= -O= -Q= -e= -B=',
  },
  ip: {
    does: 'read',
    operands: 'texts',
    endless: true,
    style: 'words',
    shapes: /^-/,
    judge: (_, words) => ipConcerns(words),
  },
})

/**
 * Without a dash `e` means the environment, not every process. `ps` also reads letters with a dash that way where the
 * rest of them is no user, terminal or number: `-auxe`.
 */
function environmentConcerns({ options, operands }: Reading): readonly Concern[] {
  const environmentWords = options.flatMap(({ at, name, values }) =>
    values.filter(
      ({ at: place, word }) =>
        /environ/i.test(word.source) || (place === at && /^-[uUgGtspqk]$/.test(name) && /^[a-z]*e/i.test(word.source)),
    ),
  )
  const bare = operands.filter(({ word }) => !/^([afhjlmuvwxSTr]+|\d+)$/.test(literalOf(word) ?? ''))
  return [...environmentWords, ...bare].map(({ at, word }) => ({
    at,
    what: `'${word.source}' may show the environment of processes`,
  }))
}

const IP_OPTION = /^-(4|6|0|br|brief|j|json|p|pretty|s|stats|statistics|d|details|c|color|o|oneline|t|N|V|Version)$/
const IP_THING =
  /^(a|ad|add|addr|address|l|li|link|r|ro|rou|rout|route|n|ne|nei|neigh|ru|rule|maddr|maddress|tunnel|netns|addrlabel)$/
const IP_SHOWS = /^(s|sh|sho|show|l|li|lis|list|lst|ls|g|ge|get)$/

/** Covers showing, but not changes such as `ip link s`, other namespaces or command files. */
function ipConcerns(words: readonly Word[]): readonly Concern[] {
  const texts = words.map(word => literalOf(word))
  let at = 1
  while (texts[at]?.startsWith('-')) {
    if (!IP_OPTION.test(texts[at] ?? '')) return [{ at, what: `the option ${texts[at]} is not known to be harmless` }]
    at++
  }
  const [thing = '', verb] = texts.slice(at)
  if (at === words.length) return []
  if (!IP_THING.test(thing)) return [{ at, what: `'ip ${thing}' is not known to be harmless` }]
  const isSet = verb === 's' && thing.startsWith('l')
  if (verb !== undefined && (isSet || !IP_SHOWS.test(verb)))
    return [{ at: at + 1, what: `'ip ${thing} ${verb}' may change something` }]
  return texts.flatMap((text, index) => (text === undefined ? [{ at: index, what: 'an argument is not known' }] : []))
}
