import type { Concern } from '../concern.ts'
import { literalOf, type Word } from '../script.ts'
import { programs, type Program } from './program.ts'

const NPM_OPTIONS = `-s -q -d -dd -ddd -w= -ws -iwr -l -p -S -D -E -O -P -B -f -a -y -h -v --silent --quiet --verbose --loglevel=
  --if-present --workspace= --workspaces --ws --include-workspace-root --json --long --parseable --color? --no-color --audit --no-audit
  --fund --no-fund --audit-level= --save --save-dev --save-exact --save-optional --save-peer --save-prod --save-bundle --no-save
  --production --omit= --include= --only= --legacy-peer-deps --strict-peer-deps --force --dry-run --ignore-scripts --prefer-offline
  --prefer-online --offline --package-lock --no-package-lock --package-lock-only --depth= --all --progress --no-progress
  --foreground-scripts --no-bin-links --tag= --access= --otp= --yes --no-update-notifier`
const NPM_RISKY = `-C= -g -c= --prefix= --global --location= --call= --script-shell= --node-options= --userconfig= --globalconfig=
  --registry= --cache= --tmp= --editor= --shell= --viewer= --browser= --git= --init-module= --scripts-prepend-node-path= --cafile=
  --https-proxy= --proxy= --package=`

/** Words after the name of a script are its arguments. */
const NPM: Program = {
  does: 'run',
  operands: 'texts',
  style: 'words',
  dashedIsOption: true,
  options: NPM_OPTIONS,
  risky: NPM_RISKY,
}
const TELLS: Program = { ...NPM, does: 'read' }
/** A rule for the package manager alone covers neither publishing nor opening a browser. */
const SENDS: Program = { ...NPM, asks: 'it sends something to a registry' }
const BROWSES: Program = { ...NPM, asks: 'it may open a browser' }

const NPM_SUBCOMMANDS = programs({
  'test t tst run run-script rum urn start stop restart': NPM,
  'install i in ins add ci clean-install install-clean uninstall un remove rm r update up upgrade udpate dedupe ddp prune link ln':
    NPM,
  'version pack audit cache completion diff doctor help': NPM,
  'publish unpublish deprecate dist-tag owner team access': SENDS,
  'fund docs repo bugs': BROWSES,
  'ls list ll la view info show v outdated why explain search s se find ping root bin prefix whoami query sbom': TELLS,
})

const PNPM_OPTIONS = `-r -w -s -F= -D -P -O -E -h -v --recursive --workspace-root --filter= --filter-prod= --silent --reporter= --loglevel=
  --color --no-color --parallel --stream --aggregate-output --if-present --no-bail --bail --sequential --workspace-concurrency= --save-dev --save-prod
  --save-exact --frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --ignore-scripts --prod --dev --json --depth= --long
  --lockfile-only --fix-lockfile --force --latest --no-optional --resume-from=`
const PNPM_RISKY = `-C= -g --dir= --prefix= --global --config= --script-shell= --shell-emulator --node-options= --use-node-version=
  --registry= --store-dir= --modules-dir= --userconfig= --globalconfig= --cwd= --global-dir= --report-summary`
const PNPM: Program = {
  does: 'run',
  operands: 'texts',
  style: 'words',
  dashedIsOption: true,
  options: PNPM_OPTIONS,
  risky: PNPM_RISKY,
}

const YARN_OPTIONS = `-s -D -P -O -E -T -W -h -v -A -p --silent --verbose --json --color --no-color --offline --prefer-offline
  --frozen-lockfile --immutable --immutable-cache --check-cache --ignore-scripts --ignore-engines --ignore-optional --ignore-platform
  --non-interactive --dev --peer --optional --exact --tilde --caret --production? --prod? --pure-lockfile --no-lockfile --force --flat
  --no-progress --latest --pattern= --depth= --all --top-level --inline-builds --mode= --recursive`
const YARN_RISKY = `--cwd= --registry= --cache-folder= --modules-folder= --preferred-cache-folder= --use-yarnrc=
  --scripts-prepend-node-path= --global-folder= --link-folder= --proxy= --https-proxy=`
const YARN: Program = { ...PNPM, options: YARN_OPTIONS, risky: YARN_RISKY }

const RISKY_NAMES = [...`${NPM_RISKY} ${PNPM_RISKY} ${YARN_RISKY}`.matchAll(/--([\w-]+)/g)].map(([, name = '']) => name)

/** Options after the name of a script are passed to it. Those that select another shell or directory still ask. */
const SCRIPT: Program = { does: 'run', operands: 'texts', shapes: /^-/, judge: (_, words) => handedOn(words) }

function handedOn(words: readonly Word[]): readonly Concern[] {
  const end = words.findIndex(word => literalOf(word) === '--')
  return words.slice(0, end < 0 ? undefined : end).flatMap((word, at) => {
    const [, name] = /^--?([\w-]+)/.exec(literalOf(word) ?? '') ?? []
    if (name === undefined || !isRiskyName(name)) return []
    return [{ at, what: `--${name} may choose another shell or place` }]
  })
}

const isRiskyName = (name: string): boolean =>
  name === 'C' || name === 'g' || (name.length > 1 && RISKY_NAMES.some(risky => risky.startsWith(name)))

const FOREIGN: Program = {
  does: 'run',
  operands: 'texts',
  shapes: /^-/,
  asks: 'it runs or changes more than the workspace says',
}

/** Package managers. A rule covers scripts of the workspace, not another directory, shell or package. */
export const PACKAGES = programs({
  npm: { ...NPM, optionsFirst: true, subcommands: NPM_SUBCOMMANDS },
  pnpm: {
    ...PNPM,
    optionsFirst: true,
    subcommands: programs({
      'run run-script test t tst start stop restart install-test it build dev lint format typecheck watch preview coverage':
        SCRIPT,
      'install i add remove rm uninstall un update up upgrade prune dedupe rebuild import pack audit link unlink fetch deploy':
        PNPM,
      publish: { ...PNPM, asks: 'it sends something to a registry' },
      'ls list la ll why outdated root bin licenses': { ...PNPM, does: 'read' },
      'exec dlx init create config c set env patch patch-commit setup store server self-update recursive multi m':
        FOREIGN,
      'login logout adduser unpublish deprecate dist-tag owner team access token profile star unstar bugs docs repo edit':
        FOREIGN,
    }),
    // Without a script of that name, a program of that name runs.
    otherwise: { ...SCRIPT, asks: 'it may run any program of that name' },
  },
  yarn: {
    ...YARN,
    optionsFirst: true,
    subcommands: programs({
      'install add remove up upgrade pack audit dedupe link unlink': YARN,
      publish: { ...YARN, asks: 'it sends something to a registry' },
      'list why info outdated licenses': { ...YARN, does: 'read' },
      'exec dlx init create config set plugin policies node global npm workspace workspaces': FOREIGN,
      'login logout tag team owner access': FOREIGN,
    }),
    otherwise: SCRIPT,
  },
  bun: {
    does: 'run',
    operands: 'texts',
    style: 'words',
    dashedIsOption: true,
    optionsFirst: true,
    options: '-b --bun --silent --watch --hot --smol --no-install',
    risky: '-e! -p! -r= --eval! --print! --preload= --require= --import= --cwd= --config= -c= --env-file= --define=',
    subcommands: programs({ 'x init create repl exec': FOREIGN }),
    otherwise: { ...SCRIPT, risky: '' },
  },
})
