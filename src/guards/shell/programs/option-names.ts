import { FILE_OPTIONS } from './option-names-files.ts'
import { GIT_OPTIONS } from './option-names-git.ts'
import type { OptionNames } from './program.ts'

const NPM = `-g/--global -S/--save -D/--save-dev -P/--save-prod -O/--save-optional -E/--save-exact -B/--save-bundle -f/--force
  -y/--yes -w/--workspace= -ws/--workspaces/--ws -iwr/--include-workspace-root -C/--prefix= -c/--call= -s/--silent -q/--quiet
  -l/--long -p/--parseable -a/--all -h/--help -v/--version`
const PIP = `-v/--verbose -q/--quiet -h/--help -V/--version --debug --isolated --require-virtualenv --python= --log= --no-input
  --keyring-provider= --proxy= --retries= --timeout= --exists-action= --trusted-host= --cert= --client-cert= --cache-dir=
  --no-cache-dir --disable-pip-version-check --no-color --no-python-version-warning --use-feature= --use-deprecated=`
const CONTAINER = `-e/--env= -i/--interactive -t/--tty -u/--user= -w/--workdir= -d/--detach --detach-keys= --env-file= --privileged`

/** Programs other than file programs and git. A subcommand also has the options of its program. */
const OTHER_OPTIONS: Readonly<Record<string, OptionNames>> = {
  curl: `-a/--append -E/--cert= -K/--config= -C/--continue-at= -b/--cookie= -c/--cookie-jar= -d/--data=
    -q/--disable -D/--dump-header= -f/--fail -F/--form= -P/--ftp-port= -G/--get -g/--globoff -I/--head -H/--header=
    -0/--http1.0 -i/--include -k/--insecure -4/--ipv4 -6/--ipv6 -j/--junk-session-cookies -l/--list-only
    -L/--location -M/--manual -m/--max-time= -n/--netrc -N/--no-buffer -o/--output= -Z/--parallel -#/--progress-bar
    -x/--proxy= -U/--proxy-user= -p/--proxytunnel -Q/--quote= -r/--range= -e/--referer= -J/--remote-header-name
    -O/--remote-name -R/--remote-time -X/--request= -S/--show-error -s/--silent -Y/--speed-limit= -y/--speed-time=
    -2/--sslv2 -3/--sslv3 -t/--telnet-option= -z/--time-cond= -1/--tlsv1 -T/--upload-file= -B/--use-ascii -u/--user=
    -A/--user-agent= -v/--verbose -w/--write-out= --create-dirs --post301 --post302 --location-trusted --max-filesize=`,
  wget: `-V/--version -b/--background -e/--execute= -o/--output-file= -a/--append-output= -d/--debug -q/--quiet -v/--verbose
    -nv/--no-verbose -i/--input-file= -F/--force-html -B/--base= -t/--tries= -O/--output-document= -nc/--no-clobber -c/--continue
    -N/--timestamping -S/--server-response -T/--timeout= -w/--wait= -Q/--quota= -4/--inet4-only -6/--inet6-only
    -nd/--no-directories -x/--force-directories -nH/--no-host-directories -P/--directory-prefix= -E/--adjust-extension
    -U/--user-agent= -r/--recursive -l/--level= -k/--convert-links -K/--backup-converted -m/--mirror -p/--page-requisites
    -A/--accept= -R/--reject= -D/--domains= -H/--span-hosts -L/--relative -I/--include-directories= -X/--exclude-directories=
    -np/--no-parent --show-progress --progress= --referer= --method= --password= --user= --limit-rate= --no-proxy --no-cookies`,
  rsync: `-v/--verbose -q/--quiet -c/--checksum -a/--archive -r/--recursive -R/--relative -b/--backup -u/--update -d/--dirs
    -l/--links -L/--copy-links -k/--copy-dirlinks -K/--keep-dirlinks -H/--hard-links -p/--perms -E/--executability -A/--acls
    -X/--xattrs -o/--owner -g/--group -t/--times -O/--omit-dir-times -S/--sparse -n/--dry-run -W/--whole-file
    -x/--one-file-system -e/--rsh= -B/--block-size= -T/--temp-dir= -y/--fuzzy -z/--compress -C/--cvs-exclude -f/--filter=
    -0/--from0 -s/--protect-args/--secluded-args -h/--human-readable -i/--itemize-changes -M/--remote-option= -4/--ipv4 -6/--ipv6
    -D -F -P --devices --specials --delete/--del --delete-before --delete-during --delete-after --delete-excluded
    --remove-source-files --inplace --append --chmod= --port= --password-file= --rsync-path= --partial-dir= --no-owner --no-group`,
  ssh: '-A -a -f -G -g -K -k -M -s -X -x -Y -y',
  scp: '-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c= -D= -F= -i= -J= -l= -o= -P= -S= -X=',
  find: '',
  node: `-c/--check -C/--conditions= -e/--eval= --loader/--experimental-loader= --debug-port/--inspect-port= -i/--interactive
    -p/--print= --report-directory/--report-dir= -r/--require= -v/--version -h/--help`,
  'python python2 python3 pypy pypy3':
    '-h/-?/--help -V/--version --check-hash-based-pycs= --help-all --help-env --help-xoptions',
  perl: '-h/--help -v/--version',
  kill: '-s/-n/--signal= -q/--queue= -l/--list? -L/--table -a/--all -p/--pid --verbose',
  killall: `-e/--exact -I/--ignore-case -g/--process-group -y/--younger-than= -o/--older-than= -i/--interactive
    -l/--list -q/--quiet -r/--regexp -s/--signal= -u/--user= -v/--verbose -w/--wait -n/--ns= -Z/--context=`,
  pkill: `-q/--queue= -e/--echo -c/--count -f/--full -g/--pgroup= -G/--group= -i/--ignore-case -n/--newest
    -o/--oldest -O/--older= -P/--parent= -s/--session= -t/--terminal= -u/--euid= -U/--uid= -x/--exact -F/--pidfile=
    -L/--logpidfile -r/--runstates= -A/--ignore-ancestors --signal= -v/--inverse`,
  sudo: `-A/--askpass -b/--background -B/--bell -C/--close-from= -D/--chdir= -E/--preserve-env? -e/--edit -g/--group= -H/--set-home
    -i/--login -K/--remove-timestamp -k/--reset-timestamp -l/--list -n/--non-interactive -N/--no-update -P/--preserve-groups
    -p/--prompt= -R/--chroot= -r/--role= -S/--stdin -s/--shell -T/--command-timeout= -t/--type= -U/--other-user= -u/--user=
    -v/--validate -h/--host=`,
  'bash sh dash zsh ksh ash': '-l/--login -v/--verbose -r/--restricted -D/--dump-strings --rcfile/--init-file=',
  npm: NPM,
  pnpm: `-r/--recursive -w/--workspace-root -s/--silent -F/--filter= -D/--save-dev/--dev -P/--save-prod/--prod -O/--save-optional
    -E/--save-exact -C/--dir= -g/--global -h/--help -v/--version -f/--force`,
  yarn: `-s/--silent -D/--dev -P/--peer -O/--optional -E/--exact -T/--tilde -W/--ignore-workspace-root-check -h/--help -v/--version
    -A/--all -f/--force`,
  pip: PIP,
  'pip install': `-r/--requirement= -c/--constraint= -e/--editable= -t/--target= -U/--upgrade -I/--ignore-installed
    -C/--config-settings= -i/--index-url/--pypi-url= -f/--find-links= --extra-index-url= --no-index --no-deps/--no-dependencies --pre
    --dry-run --platform= --python-version= --implementation= --abi= --user --root= --prefix= --src= --upgrade-strategy=
    --force-reinstall --ignore-requires-python --no-build-isolation --use-pep517 --check-build-dependencies
    --break-system-packages --global-option= --compile --no-compile --no-warn-script-location --no-warn-conflicts --no-binary=
    --only-binary= --prefer-binary --require-hashes --progress-bar= --root-user-action= --report= --no-clean`,
  'pip uninstall': '-r/--requirement= -y/--yes --root-user-action= --break-system-packages',
  docker: '-c/--context= -D/--debug -H/--host= -l/--log-level= -v/--version',
  'docker run': `${CONTAINER} -a/--attach= -c/--cpu-shares= -h/--hostname= -l/--label= -m/--memory= -p/--publish= -P/--publish-all
    -q/--quiet -v/--volume= --mount= --network/--net= --pid= --ipc= --userns= --cap-add= --cap-drop= --device= --security-opt=
    --entrypoint= --restart= --gpus= --volumes-from= --add-host= --shm-size= --ulimit= --tmpfs= --cidfile= --rm --init --name=
    --platform= --pull= --read-only --cpus=`,
  'docker exec': CONTAINER,
  'docker rm': '-f/--force -l/--link -v/--volumes',
  'docker rmi': '-f/--force --no-prune --platform=',
  'docker build': `-f/--file= -q/--quiet -t/--tag= -m/--memory= -c/--cpu-shares= -o/--output= --build-arg= --target= --no-cache --pull
    --push --load --platform= --progress= --secret= --ssh= --network= --label= --rm --force-rm --squash --cache-from= --cache-to=`,
  'docker stop': '-s/--signal= -t/--time/--timeout=',
  'docker restart': '-s/--signal= -t/--time/--timeout=',
  'docker kill': '-s/--signal=',
  'docker ps': '-a/--all -f/--filter= -n/--last= -l/--latest -q/--quiet -s/--size --no-trunc --format=',
  'docker pull': '-a/--all-tags -q/--quiet --platform= --disable-content-trust?',
  'docker push': '-a/--all-tags -q/--quiet --platform= --disable-content-trust?',
  'docker logs': '-f/--follow -n/--tail= -t/--timestamps --details --since= --until=',
  systemctl: `-f/--force -q/--quiet -t/--type= -p/--property= -H/--host= -M/--machine= -a/--all -l/--full -r/--recursive -n/--lines=
    -o/--output= -s/--signal= -T/--show-transaction -h/--help -i -P= --now --user --system --global --runtime --no-block --no-pager
    --no-reload --no-wall --no-ask-password --no-legend --legend= --failed --state= --plain --value --wait --dry-run --reverse
    --job-mode= --root= --image= --kill-whom= --kill-who= --what= --check-inhibitors= --timestamp= --firmware-setup`,
}

/** Options that imply others. */
const SHORTHANDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cp: { '-a': '-d -R --preserve', '-d': '--no-dereference --preserve' },
  curl: {
    '--data-ascii': '--data',
    '--data-binary': '--data',
    '--data-raw': '--data',
    '--data-urlencode': '--data',
    '--json': '--data',
  },
  'git branch': { '-D': '--delete --force', '-M': '--move --force', '-C': '--copy --force' },
  find: { '-execdir': '-exec', '-ok': '-exec', '-okdir': '-exec' },
  'git checkout': { '-B': '-b' },
  'git switch': { '-C': '-c' },
  'grep egrep fgrep': { '-R': '-r' },
  node: { '--print': '--eval', '-pe': '--print --eval' },
  npm: { '--location': '--global' },
  perl: { '-E': '-e' },
  rsync: { '-a': '-r -l -p -t -g -o -D', '-D': '--devices --specials', '-P': '--partial --progress' },
  systemctl: { '-P': '--property --value' },
  tail: { '-F': '--follow --retry' },
  wget: { '-m': '-N -r -l' },
}

/** Programs whose options are listed for each subcommand. */
const BY_SUBCOMMAND = /^(git|docker|pip) /

/** For programs and subcommands whose options are not listed. */
const USUAL: OptionNames = '-r/-R/--recursive -f/--force'

const byName = <Value>(...tables: readonly Readonly<Record<string, Value>>[]): ReadonlyMap<string, Value> =>
  new Map(
    tables.flatMap(table =>
      Object.entries(table).flatMap(([key, value]) => {
        const names = BY_SUBCOMMAND.test(key) ? [key] : key.split(' ')
        return names.map(name => [name, value] as const)
      }),
    ),
  )

const NAMES = byName(FILE_OPTIONS, GIT_OPTIONS, OTHER_OPTIONS)
const SHORT = byName(SHORTHANDS)

/** The option names of a program. */
interface NamedOptions {
  /** Each entry holds all names of one option, with the mark of its value. */
  readonly groups: readonly { readonly names: readonly string[]; readonly mark: string }[]
  /** The options that an option implies. */
  readonly shorthands: Readonly<Record<string, string>>
  /** All option names of the program are known, so two different names are two options. */
  readonly isWhole: boolean
}

/** Returns the option names of a program and its subcommand. Names of the subcommand take precedence. */
export function optionNamesOf(program: string, subcommand: string): NamedOptions {
  const family = program === 'podman' ? 'docker' : program
  const subcommandOptions = NAMES.get(`${family} ${subcommand}`.trim())
  // Options before a git subcommand do not belong to it.
  const whole = family === 'git' ? undefined : NAMES.get(family)
  const isWhole = subcommandOptions !== undefined || (whole !== undefined && !BY_SUBCOMMAND.test(`${family} `))
  const text = `${subcommandOptions ?? ''} ${whole ?? ''} ${isWhole ? '' : USUAL}`
  const groups = text
    .split(/\s+/)
    .filter(token => token !== '')
    .map(token => {
      const [, names = '', mark = ''] = /^(.*?[^=@>!?%$]?)([=@>!?%$]*)$/.exec(token) ?? []
      return { names: names.split('/'), mark }
    })
  return {
    groups,
    shorthands: { ...SHORT.get(family), ...SHORT.get(`${family} ${subcommand}`) },
    isWhole,
  }
}
