import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { parseLine } from './parse-line.ts'

const rule = (verdict: CommandRule['verdict'], text: string): CommandRule => ({
  id: `${verdict} ${text}`,
  verdict,
  prefix: text === '*' ? [] : [text],
})
const LISTED = { rules: ['ls', 'cat', 'echo', 'true'].map(text => rule('allow', text)), fallback: 'ask' } as const
const DENIED = { rules: [rule('allow', '*'), rule('deny', 'touch')], fallback: 'allow' } as const

/** Where bash reads a line in a way that its grammar does not tell. */
describe('oddities of bash', () => {
  it.each([
    'time -- touch p',
    'time -p -- touch p',
    '! time -- touch p',
    `echo "\${x#'"'}" }" ' " ; touch p ; echo " ' #"`,
    `echo "\${x/'"'/a}" }" ' " ; touch p ; echo " ' #"`,
    `echo "\${x:-'"'}" }" ' " ; touch p ; echo " ' #"`,
    "env 'BASH_FUNC_ls%%=() { touch p; }' bash -c ls",
    'export BASH_ENV=/dev/stdin; bash -c ls <<< "touch p"',
    "RANDOM='a[$(touch p)]'",
    "for OPTIND in 'a[$(touch p)]'; do ls; done",
    "echo >&'$(touch p)'",
    'echo >&"`touch p`$x"',
    "x='$(touch p)'; echo >&$x",
    'x=\'$(touch p)\'; echo 1>& "$x"',
    "exec 3>&'$(touch p)'",
    'ls[[ \nls # ]] & touch p',
    'ls[ # \n]; touch p',
    "x=([ ' ]=a); touch p #')",
    "env $'\\'\nx=1 ls #' touch p",
    'env ./a=1 =b touch p',
    'ls "$(coproc touch p)"',
    "shopt -s expand_aliases\nalias a='for x in b; do'\na touch p; done",
    "shopt -s expand_aliases\nalias a='touch'\na p",
    "sh -c 'alias a=touch\na p'",
    "BASH_ALIASES[a]='touch p'; shopt -s expand_aliases\na",
    'BASH_CMDS[a]=/usr/bin/touch; a p',
    'declare BASH_CMDS[a]=/usr/bin/touch; a p',
    "printf -v 'BASH_CMDS[a]' /usr/bin/touch; a p",
  ])('are asked about: %j', line => {
    expect(judgeCommand(line, LISTED).verdict).not.toBe('allow')
    expect(judgeCommand(line, DENIED).verdict).not.toBe('allow')
  })
})

describe('a coprocess, which bash names itself within a substitution', () => {
  it.each([
    "bash -c 'cat <(ls |& coproc ls)'",
    "env sh -c 'ls $(coproc ls)'",
    "eval 'coproc ls'",
    "bash -c 'coproc ls'",
  ])('is asked about in a script, too: %j', line => {
    const rules = [rule('allow', '*'), rule('deny', 'COPROC')]
    expect(judgeCommand(line, { rules, fallback: 'allow' }).verdict).toBe('ask')
  })
})

describe('a name that looks like an option', () => {
  it.each(['command -', 'command -p -', 'command -- -', 'exec -', 'nohup -', 'nice -n 5 -', 'time -', 'env - -'])(
    'is that of a program: %j',
    line => {
      expect(judgeCommand(`ls; ${line}`, LISTED).verdict).toBe('ask')
      expect(
        judgeCommand(line, { rules: [rule('allow', '*'), rule('deny', '-')], fallback: 'allow' }).verdict,
      ).not.toBe('allow')
    },
  )

  it.each(['env - touch p', 'env -i - touch p', 'env -- - touch p', 'sudo - touch p', 'command -- -- touch p'])(
    'hides no program behind it: %j',
    line => expect(judgeCommand(line, DENIED).verdict).not.toBe('allow'),
  )
})

describe('a here-document in a command substitution', () => {
  it.each([
    'x=$(cat <<E\nhi\nEOF)\ntouch p\nE\n)',
    'x=$(cat <<E\nEx)\ntouch p\nE\n)',
    'x=$(cat <<-E\n\tEx)\ntouch p\nE\n)',
    "x=$(cat <<'E'\nEx a )\ntouch p\nE\n)",
    'ls <(cat <<E\nEx)\ntouch p\nE\n)',
  ])('ends where bash ends it, at a line that only begins with its delimiter: %j', line => {
    expect(judgeCommand(line, LISTED).verdict).not.toBe('allow')
    expect(judgeCommand(line, DENIED).verdict).not.toBe('allow')
  })
})

describe('comments', () => {
  it.each([
    "for x in a # '\ndo touch p; done #' ; do ls; done",
    "for x in a b #'\ndo touch p; done #'\ndo ls; done",
    'for x in #"\ndo touch p; done #"; do ls; done',
    "for x in a \\\n# '\ndo touch p; done #'; do ls; done",
    'for x in a; #`\ndo touch p; done #`; do ls; done',
    "for x in a\n# '\ndo touch p; done #' ; do ls; done",
    "for x # '\nin a; do touch p; done #' \n do ls; done",
    "for x #'\ndo touch p; done #'\ndo ls; done",
    "select x in a # '\ndo touch p; break; done #' ; do ls; done",
    "case a # '\nin a) touch p;; esac #' \n in b) ls;; esac",
    "case a in # '\na) touch p;; esac #' \n b) ls;; esac",
    "case a in b) ls;; # '\na) touch p;; esac #' \n b) ls;; esac",
    "ls > # '\ntouch p #'",
    "ls <<< # '\ntouch p #'",
    "function # '\nf { touch p; }; f #' { ls; }",
    "f() # '\n{ touch p; }; f #' { ls; }",
    'a=(x)#c; touch p',
    "a=(x)# '; touch p #'",
    "a=(x # '\n); touch p #')",
    "(# '\ntouch p; ) #')",
    "ls $(# '\ntouch p) #')",
    "ls `# '\ntouch p` #'`",
    "ls <(# '\ntouch p) #')",
    "if # '\ntouch p; then ls; fi #' ; then ls; fi",
    "ls | # '\ntouch p #'",
    "ls && # '\ntouch p #'",
    "ls &# '\ntouch p #'",
    "cat <<E # '\nx\nE\ntouch p #'",
    'cat <<E # <<F\nx\nE\ntouch p\nF',
  ])('take nothing away that bash runs: %j', line => {
    expect(judgeCommand(line, LISTED).verdict).not.toBe('allow')
    expect(judgeCommand(line, DENIED).verdict).not.toBe('allow')
  })

  it.each([
    'for x in a b # both\ndo ls $x; done',
    'for x in a b; do # each\n ls "$x" # one\ndone # all',
    'case a in # first\n a) ls;; # second\n *) cat a.txt;; esac # third',
    'ls # "\ncat a.txt # "',
    'ls a#b "#c" \\#d',
    "if true # '\nthen ls; fi # '",
  ])('of a legitimate line are silent: %j', line => {
    expect(parseLine(line).broken).toBeUndefined()
    expect(judgeCommand(line, LISTED).verdict).toBe('allow')
  })
})
