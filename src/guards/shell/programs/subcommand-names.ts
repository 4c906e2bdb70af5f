import { NPM, PNPM, YARN } from './package-subcommands.ts'
import type { SubcommandNames } from './program.ts'

/** Each short form has a long one, grouped by object: `docker rm` is `docker container rm`. */
const DOCKER: SubcommandNames = {
  aliases: {
    'container attach': 'attach',
    'container commit': 'commit',
    'container cp': 'cp',
    'container create': 'create',
    'container diff': 'diff',
    'container exec': 'exec',
    'container export': 'export',
    'container kill': 'kill',
    'container logs': 'logs',
    'container ls, container list, container ps': 'ps',
    'container pause': 'pause',
    'container port': 'port',
    'container rename': 'rename',
    'container restart': 'restart',
    'container rm, container remove': 'rm',
    'container run': 'run',
    'container start': 'start',
    'container stats': 'stats',
    'container stop': 'stop',
    'container top': 'top',
    'container unpause': 'unpause',
    'container update': 'update',
    'container wait': 'wait',
    'image build, builder build, buildx build, buildx b': 'build',
    'image history': 'history',
    'image import': 'import',
    'image load': 'load',
    'image ls, image list': 'images',
    'image pull': 'pull',
    'image push': 'push',
    'image rm, image remove': 'rmi',
    'image save': 'save',
    'image tag': 'tag',
    'system events': 'events',
    'system info': 'info',
    'volume remove': 'volume rm',
    'volume list': 'volume ls',
    'network remove': 'network rm',
    'network list': 'network ls',
  },
}

/** Targets, tasks and goals; the operands of dd have names. */
const TARGETS: SubcommandNames = { unordered: true }

const NAMES: ReadonlyMap<string, SubcommandNames> = new Map(
  Object.entries({
    npm: NPM,
    pnpm: PNPM,
    yarn: YARN,
    docker: DOCKER,
    podman: DOCKER,
    make: TARGETS,
    ninja: TARGETS,
    just: TARGETS,
    rake: TARGETS,
    ant: TARGETS,
    mvn: TARGETS,
    mvnw: TARGETS,
    gradle: TARGETS,
    gradlew: TARGETS,
    dd: TARGETS,
    git: {
      aliases: {
        stage: 'add',
        'init-db': 'init',
        'fsck-objects': 'fsck',
        pickaxe: 'blame',
        'remote rm': 'remote remove',
        'stash save': 'stash push',
      },
    },
    // Other names may be aliases from a configuration file, which cargo resolves itself.
    cargo: {
      own: `add bench build check clean config doc fetch fix generate-lockfile help info init install locate-project login logout
      metadata new owner package pkgid publish read-manifest remove report run rustc rustdoc search test tree uninstall update vendor
      verify-project version yank clippy fmt miri nextest llvm-cov tarpaulin audit deny outdated machete udeps expand watch make hack
      insta fuzz criterion edit upgrade bloat asm flamegraph msrv semver-checks release dist xtask`,
      aliases: { b: 'build', c: 'check', d: 'doc', r: 'run', t: 'test', rm: 'remove' },
      others: 'aliases',
      before: /^\+/,
    },
    hg: {
      own: `abort absorb add addremove amend annotate archive backout bisect bookmarks branch branches bundle cat clone commit config
      continue copy diff email evolve export fetch files fold forget gpg graft grep heads help histedit identify import incoming init
      locate log manifest merge next outgoing parents paths phase previous prune pull purge push rebase record recover remove rename
      resolve revert rollback root serve share shelve show split status strip summary tag tags tip topics transplant uncommit unbundle
      unshelve update verify version`,
      aliases: {
        ci: 'commit',
        'up, checkout, co': 'update',
        st: 'status',
        history: 'log',
        rm: 'remove',
        'mv, move': 'rename',
        cp: 'copy',
        blame: 'annotate',
        id: 'identify',
        patch: 'import',
        in: 'incoming',
        out: 'outgoing',
        sum: 'summary',
        bookmark: 'bookmarks',
        'showconfig, debugconfig': 'config',
        debugstrip: 'strip',
        clean: 'purge',
      },
      abbreviates: 'subcommands',
      others: 'aliases',
      options: '-R= --repository= --cwd= --config= --encoding= --encodingmode= --color= --pager=',
    },
    svn: {
      aliases: {
        'praise, annotate, ann': 'blame',
        cl: 'changelist',
        co: 'checkout',
        ci: 'commit',
        cp: 'copy',
        'del, remove, rm': 'delete',
        di: 'diff',
        'h, ?': 'help',
        ls: 'list',
        'mv, rename, ren': 'move',
        'pdel, pd': 'propdel',
        'pedit, pe': 'propedit',
        'pget, pg': 'propget',
        'plist, pl': 'proplist',
        'pset, ps': 'propset',
        'stat, st': 'status',
        sw: 'switch',
        up: 'update',
      },
      options: `-r= -c= -m= -F= -x= -N --revision= --change= --message= --file= --username= --password= --config-dir= --config-option=
      --depth= --set-depth= --targets= --encoding= --limit= -l= --changelist= --cl= --editor-cmd! --diff-cmd!`,
    },
    ip: {
      own: `address addrlabel maddress route rule neighbor ntable link l2tp fou ila macsec tunnel tuntap token tcpmetrics monitor xfrm
      mroute mrule netns netconf vrf sr nexthop mptcp ioam help stats`,
      aliases: {
        'a, ad, add, addr': 'address',
        l: 'link',
        'r, ro': 'route',
        'n, ne, neighbour': 'neighbor',
        m: 'maddress',
        net: 'netns',
        't, tunl': 'tunnel',
        tap: 'tuntap',
        ntbl: 'ntable',
        tcp_metrics: 'tcpmetrics',
      },
      abbreviates: 'everything',
      options: '-f= -family= -n= -netns= -b= -batch= -rc= -rcvbuf= -l= -loops=',
    },
    // The user's aliases run inside gh.
    gh: {
      own: `agent-task alias api attestation auth browse cache codespace completion config copilot extension gist gpg-key help issue
      label org pr preview project release repo ruleset run search secret ssh-key status variable workflow version`,
      aliases: {
        cs: 'codespace',
        'ext, extensions': 'extension',
        at: 'attestation',
        rs: 'ruleset',
        'agent, agents, agent-tasks': 'agent-task',
        co: 'pr checkout',
        'pr new': 'pr create',
        'pr ls': 'pr list',
        'pr co': 'pr checkout',
        'issue new': 'issue create',
        'issue ls': 'issue list',
        'repo new': 'repo create',
        'repo ls': 'repo list',
        'release new': 'release create',
        'release ls': 'release list',
        'gist new': 'gist create',
        'gist ls': 'gist list',
        'run ls': 'run list',
        'secret ls': 'secret list',
        'secret remove': 'secret delete',
        'variable remove': 'variable delete',
        'workflow ls': 'workflow list',
      },
      others: 'aliases',
      options: '-R= --repo= --hostname=',
    },
    apt: {
      aliases: {
        'auto-remove': 'autoremove',
        'auto-purge': 'autopurge',
        'auto-clean': 'autoclean',
        'dist-clean': 'distclean',
        'dist-upgrade': 'full-upgrade',
      },
      options: '-o= -c= -t= --option= --config-file= --target-release= --default-release=',
    },
    'apt-get': {
      aliases: { 'auto-remove': 'autoremove', 'auto-purge': 'autopurge', 'auto-clean': 'autoclean' },
      options: '-o= -c= -t= -a= --option= --config-file= --target-release= --default-release= --host-architecture=',
    },
    systemctl: {
      aliases: {
        condrestart: 'try-restart',
        condstop: 'stop',
        condreload: 'try-reload-or-restart',
        'reload-or-try-restart, force-reload': 'try-reload-or-restart',
      },
      options: `-t= -p= -P= -H= -M= -n= -o= -s= -T --type= --state= --property= --host= --machine= --root= --image= --lines= --output= --signal=
      --kill-whom= --kill-who= --job-mode= --what= --message= --preset-mode= --boot-loader-menu= --boot-loader-entry=`,
    },
  } satisfies Record<string, SubcommandNames>),
)

export const subcommandNamesOf = (program: string): SubcommandNames | undefined => NAMES.get(program)
