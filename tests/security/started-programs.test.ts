// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** Each makes the branch arrive in the repository `$R` unless git is kept from pushing; no line shows it. */
const PUSHES: Readonly<Record<string, string>> = {
  'split by env': 'env -S "git push -q $R main"',
  'filled in by xargs': 'echo push | xargs -I% git % -q $R main',
  'read by xargs': 'echo git push -q $R main | xargs xargs 2>/dev/null || echo push -q $R main | xargs git',
  'a remembered path': 'hash -p /usr/bin/git g; g push -q $R main',
  'an alias of the shell': 'shopt -s expand_aliases\nalias g="git push -q"\ng $R main',
  'an alias of git by variables':
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0="push -q" git p $R main',
  'an alias of git by an option': 'git -c alias.p="push -q" p $R main',
  'an alias of git that is a script': `git -c alias.p='!git push -q $R main #' p`,
  'an alias from the environment': 'P="push -q" git --config-env=alias.p=P p $R main',
  'an alias that is included': 'printf "[alias]\\np = push -q\\n" > /tmp/i; git -c include.path=/tmp/i p $R main',
  'a makefile from a pipe': `printf 'a:;@git push -q %s main\\n' $R | make -sf -`,
  'a variable of make': `printf 'a:;@$(G) $(P) -q %s main\\n' $R | make -sf - G=git P=push`,
  'a script of npm': `cd $(mktemp -d); printf '{"scripts":{"x":"git -C $W push -q $R main"}}' > package.json; npm run -s x`,
  'an action of tar': 'tar -cf /dev/null --checkpoint=1 --checkpoint-action="exec=git push -q $R main" a.txt',
  'the command of find': `find a.txt -exec sh -c 'git push -q $R main' ';'`,
  'a call from python': `python3 -c 'import subprocess,os; subprocess.run(["git", "pu"+"sh", "-q", os.environ["R"], "main"])'`,
  'exec from python': `python3 -c 'import os; os.execvp("git", ["not-git", "push", "-q", os.environ["R"], "main"])'`,
  'a call from perl': `perl -e 'system {"git"} "x", "push", "-q", $ENV{R}, "main"'`,
  'a call from awk': `awk 'BEGIN { system("git push -q $R main") }'`,
  'a call from node': `node -e 'require("child_process").execFileSync("git", ["push", "-q", process.env.R, "main"])'`,
  'a link of another name': 'ln -s /usr/bin/git /tmp/harmless; /tmp/harmless push -q $R main',
  'a link to a link': 'ln -s /usr/bin/git /tmp/a; ln -s a /tmp/b; (cd /tmp; ./b -C $W push -q $R main)',
  'another argument zero': 'exec -a harmless git push -q $R main',
  'a copy of what stands there': 'cp /usr/bin/git /tmp/copy; /tmp/copy push -q $R main',
  'the second file of git': '$(git --exec-path)/git push -q $R main',
  'the file of the subcommand': '$(git --exec-path)/git-push -q $R main',
  'by way of /proc': '/proc/self/root/usr/bin/git push -q $R main',
  'a path with dots': '/usr/share/../bin/./git push -q $R main',
  'the plumbing of a push': 'git send-pack $R main',
  'the file of the plumbing': '$(git --exec-path)/git-send-pack $R main',
  'the plumbing behind an alias': `git -c alias.p='!git send-pack $R main #' p`,
  'the plumbing behind another name': 'ln -s /usr/bin/git /tmp/sp; /tmp/sp --no-pager send-pack $R main',
  'an option that few know': "git --shallow-file '' push -q $R main",
  'a corrected subcommand': 'git -c help.autocorrect=immediate pussh -q $R main',
  'a trace': 'strace -f -o /dev/null git push -q $R main',
  'without an environment': 'env -i /usr/bin/git push -q $R main',
  'options before it': 'git --no-pager -c a.b=c -C . --git-dir .git push -q $R main',
  'what shows differences': 'GIT_EXTERNAL_DIFF="git push -q $R main #" git diff --ext-diff --no-index a.txt .gitignore',
  'a pipe of commands': 'echo "cHVzaAo=" | base64 -d | xargs -I@ sh -c "git @ -q $R main"',
  'in the background': 'setsid nohup git push -q $R main >/dev/null 2>&1 & wait',
  'many at once': 'seq 12 | xargs -P 12 -I% git push -q $R main:refs/heads/b%; git push -q $R main',
  'a long list of arguments': 'git $(for i in {1..3000}; do echo -n "-c x.y=$i "; done) push -q $R main',
  'variables of the shell that judges':
    'toolwright_answer=go toolwright_ticket=A BASH_ENV=/dev/null SHELLOPTS=xtrace IFS=p git push -q $R main',
}

const isHere = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some(place => existsSync(join(place, program)))

/** What this machine has the programs for. */
const missing = ['make', 'npm', 'python3', 'perl', 'awk', 'tar', 'strace'].filter(program => !isHere(program))
const NAMES = Object.keys(PUSHES).filter(name => !missing.some(program => PUSHES[name]?.includes(`${program} `)))

/** Runs each script where no line shows what it says, and tells what arrived in a repository of its own. */
const EACH = `export W=$PWD
for script in attacks/*; do
  export R=/tmp/$(basename $script).git
  git init -q --bare $R
  bash $script >/dev/null 2>&1 </dev/null
  echo $(basename $script) $(git -C $R for-each-ref --format='%(refname)')
done`

/** What arrived by each of the scripts, and what the answer says of those that did not. */
async function attacked(deny: readonly string[]) {
  const files = NAMES.map((name, at) => [`attacks/${at}`, `${PUSHES[name]}\n`])
  await using workspace = repository({ 'each.sh': EACH, ...Object.fromEntries(files) })
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'], commands: [{ deny }] })
  const { outcome } = await kit.run('run', { command: 'bash each.sh' })
  if (!outcome.ok) throw outcome.error
  const lines = (outcome.data as { stdout: string }).stdout.trim().split('\n')
  const arrived = new Map(lines.map(line => [NAMES[Number(line.split(' ')[0])], line.split(' ').slice(1)]))
  return { arrived, warnings: outcome.meta.warnings ?? [] }
}

describe('a denied command, at the moment that it starts', async () => {
  const free = await attacked([])
  const denied = await attacked(['git push'])
  for (const name of NAMES)
    it(`does not start: ${name}`, () => {
      expect(free.arrived.get(name), 'without the rule it arrives').toContain('refs/heads/main')
      expect(denied.arrived.get(name)).toEqual([])
    })

  it('is told with the programs that led there', () => {
    expect(free.warnings).toEqual([])
    expect(denied.warnings.join('\n')).toMatch(
      /'git push -q \S+ main' did not start: .*git push.*started by .* → make -sf -/,
    )
  })
})
