import type { Concern } from '../concern.ts'
import { programs, type Program } from './program.ts'
import type { Reading } from './reading.ts'

const DOCKER: Program = {
  does: 'read',
  operands: 'texts',
  flags: 'aqlsfth',
  options: `-n= --all --quiet --latest --size --filter= --format= --no-trunc --last= --digests --follow --tail= --since= --until=
  --timestamps --details --type= --no-stream --human --limit= --no-index`,
}

const FOREIGN: Program = { does: 'run', operands: 'texts', shapes: /^-/, asks: 'it may run or change something' }

/** Options that give the container no access to the machine. Words after the image belong to the container. */
const RUN: Program = {
  does: 'run',
  operands: 'texts',
  optionsFirst: true,
  flags: 'itdq',
  options: `-e= -w= -p= -m= --rm --interactive --tty --detach --init --read-only --quiet --env= --workdir= --publish= --name= --platform=
  --memory= --cpus= --pull= --hostname= --label=`,
  asks: 'it starts a container',
}

const CONTAINERS: Program = {
  does: 'read',
  operands: 'texts',
  optionsFirst: true,
  flags: 'D',
  options: '--debug --log-level=',
  risky: '-H= -c= -l= --host= --config= --context= --tls --tlscacert@ --tlscert@ --tlskey@',
  subcommands: programs({
    'ps images logs version info inspect top port stats history diff events': DOCKER,
    run: RUN,
  }),
  otherwise: FOREIGN,
}

/** Programs for containers and clusters. A rule covers queries. */
export const CONTAINER_PROGRAMS = programs({
  'docker podman': CONTAINERS,
  kubectl: {
    does: 'read',
    operands: 'texts',
    optionsFirst: true,
    options: '-n= --namespace=',
    risky:
      '-s= --kubeconfig@ --server= --token= --as= --context= --cluster= --user= --cache-dir@ --profile-output> --v=',
    subcommands: programs({
      'get describe logs explain version api-resources api-versions cluster-info top': {
        does: 'read',
        operands: 'texts',
        flags: 'Awfp',
        options: `-n= -o= -l= -c= -L= --namespace= --output= --selector= --all-namespaces --watch --watch-only --follow --previous
        --container= --tail= --since= --since-time= --timestamps --all-containers? --show-labels --no-headers? --sort-by= --field-selector=
        --label-columns= --recursive --api-version= --client --prefix --chunk-size= --ignore-not-found --show-kind --limit-bytes=
        --max-log-requests= --api-group= --namespaced?`,
        checks: { '-o': output, '--output': output },
        judge: secretConcerns,
      },
    }),
    otherwise: FOREIGN,
  },
})

function output(text: string): string | undefined {
  return /file/.test(text) ? `'${text}' reads a file` : undefined
}

/** Not covered: the output contains secrets. */
function secretConcerns({ operands }: Reading): readonly Concern[] {
  return operands.flatMap(({ at, word }) => (/secret/i.test(word.source) ? [{ at, what: 'it shows secrets' }] : []))
}
