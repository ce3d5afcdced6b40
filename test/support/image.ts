import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, chownSync, cpSync, mkdirSync, readFileSync, readdirSync} from 'node:fs'
import {renameSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'

/** What a Dockerfile of two stages says: whatever it says besides is not understood, and refused. */
interface Recipe {
  /** Taken from the repository, by where it goes. */
  sources: readonly string[]
  /** Run in the folder of the first stage, which holds what that one copies. */
  install: {sources: readonly string[]; command: string}
  environment: Readonly<Record<string, string>>
  user: string
  volume: string
  port: number
  command: readonly string[]
  health: readonly string[]
}

/** The tree of an image, in a folder: `root/app` is what it works in. */
export interface Image {
  root: string
  recipe: Recipe
}

const APP = 'app'
/** "nobody", by whatever name. */
const NOBODY_ID = 65_534

export function readRecipe(dockerfile: string): Recipe {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const stages = lines.reduce<string[][]>((all, line) => {
    if (line.startsWith('FROM ')) all.push([])
    else all.at(-1)?.push(line)
    return all
  }, [])
  const [first = [], second = [], ...more] = stages
  const known =
    /^(?:WORKDIR \/app|COPY [^-].*|COPY --from=dependencies \/app\/node_modules node_modules|RUN .*|ENV .*|USER .*|VOLUME .*|EXPOSE .*|HEALTHCHECK .*|CMD .*)$/
  const strange = [...first, ...second].filter((line) => !known.test(line))
  if (more.length > 0 || strange.length > 0)
    throw new Error(`Not understood: ${strange.join('; ')}`)
  const of = (stage: readonly string[], word: string): string[] =>
    stage.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const one = (word: string): string => {
    const [line, ...others] = of(second, word)
    if (line === undefined || others.length > 0) throw new Error(`There is not one ${word}`)
    return line
  }
  const copied = (stage: readonly string[]): string[] =>
    of(stage, 'COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1))
  const volume = one('VOLUME')
  const user = one('USER')
  if (one('RUN') !== `mkdir ${volume} && chown ${user}:${user} ${volume}`) {
    throw new Error('Its volume is not its user’s')
  }
  const list = (json: string): string[] => z.array(z.string()).parse(JSON.parse(json))
  return {
    sources: copied(second),
    install: {sources: copied(first), command: of(first, 'RUN').join(' && ')},
    environment: Object.fromEntries(
      one('ENV')
        .split(' ')
        .map((pair) => pair.split('=', 2) as [string, string]),
    ),
    ...{user, volume, port: Number(one('EXPOSE')), command: list(one('CMD'))},
    health: list(one('HEALTHCHECK').replace(/^.*?CMD /, '')),
  }
}

/** Builds what the Dockerfile would, without the system below it. */
export function buildImage(repository: string, root: string): Image {
  const recipe = readRecipe(readFileSync(join(repository, 'Dockerfile'), 'utf8'))
  const app = join(root, APP)
  const stage = join(root, 'stage')
  for (const [folder, sources] of [
    [stage, recipe.install.sources],
    [app, recipe.sources],
  ] as const) {
    mkdirSync(folder, {recursive: true})
    for (const source of sources.filter((name) => name !== './')) {
      cpSync(join(repository, source), join(folder, source), {recursive: true})
    }
  }
  execFileSync('sh', ['-c', `${recipe.install.command} --prefer-offline --no-audit --no-fund`], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {PATH: process.env['PATH'], HOME: process.env['HOME']},
  })
  renameSync(join(stage, 'node_modules'), join(app, 'node_modules'))
  rmSync(stage, {recursive: true})
  const data = join(root, recipe.volume)
  mkdirSync(data)
  if (process.getuid?.() === 0) chownSync(data, NOBODY_ID, NOBODY_ID)
  return {root, recipe}
}

/** Each file of the image, from its root on. */
export function filesIn({root}: Image): {path: string; bytes: number}[] {
  const app = join(root, APP)
  return readdirSync(app, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => {
      const path = join(parentPath, name)
      return {path: path.slice(app.length + 1), bytes: statSync(path).size}
    })
}

/** How it is kept from writing anywhere but into its volume. */
export type Confinement = 'a root of its own, mounted read-only' | 'permissions'

/** As root, who may mount, it gets a root of its own; else it is somebody who may write nowhere else. */
export function confinementHere(): Confinement {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount --make-rprivate /'], {stdio: 'ignore'})
    return 'a root of its own, mounted read-only'
  } catch {
    return 'permissions'
  }
}

/** Mounts what the system below brings, and nothing of the repository; only the volume can be written to. */
const CHROOT = `
set -e
cd "$IMAGE_ROOT"
mount --make-rprivate /
mount --bind . .
cd "$IMAGE_ROOT"
mkdir -p usr etc proc dev usr/local
for folder in usr etc dev; do mount --rbind /$folder $folder; done
for link in bin lib lib64; do [ -e $link ] || ln -s usr/$link $link; done
mkdir -p node && mount --bind "$IMAGE_NODE" node
mount --rbind /proc proc
mount --bind ".$IMAGE_VOLUME" ".$IMAGE_VOLUME"
mount -o remount,bind,ro .
exec chroot --userspec=${NOBODY_ID}:${NOBODY_ID} . sh -c 'cd /${APP} && exec "$@"' sh "$@"
`

/** Runs a command of the image as somebody who is not root, in a tree in which nothing can be written. */
export function runInImage(
  {root, recipe}: Image,
  [program = '', ...args]: readonly string[],
  {settings, confinement}: {settings: Readonly<Record<string, string>>; confinement: Confinement},
) {
  const node = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin')
  const isRooted = confinement === 'a root of its own, mounted read-only'
  const environment = {...recipe.environment, ...settings}
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  if (isRooted) {
    const own = {IMAGE_ROOT: root, IMAGE_NODE: node, IMAGE_VOLUME: recipe.volume}
    const env = {...environment, ...own, PATH: '/node:/usr/bin:/usr/sbin:/bin:/sbin'}
    return spawn('unshare', ['--mount', 'sh', '-c', CHROOT, 'sh', program, ...args], {env, stdio})
  }
  const data = {DATABASE_URL: `sqlite:${join(root, recipe.volume, 'bosun.db')}`}
  return spawn(program, args, {
    cwd: join(root, APP),
    env: {...environment, ...data, PATH: `${node}:/usr/bin:/bin`},
    ...(process.getuid?.() === 0 && {uid: NOBODY_ID, gid: NOBODY_ID}),
    stdio,
  })
}

/** Nobody may write into it, until this is disposed: then it can be deleted. */
export function closeTree({root}: Image): Disposable {
  const app = join(root, APP)
  const all = readdirSync(app, {recursive: true, withFileTypes: true})
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => ({path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory()}))
  const folders = [app, ...all.flatMap(({path, isFolder}) => (isFolder ? [path] : []))]
  for (const {path, isFolder} of all) if (!isFolder) chmodSync(path, 0o444)
  for (const folder of folders) chmodSync(folder, 0o555)
  chmodSync(root, 0o755)
  return {
    [Symbol.dispose]: () => {
      for (const folder of folders) chmodSync(folder, 0o755)
    },
  }
}

/** How a command of the image ended, and what it said. */
export async function endOf(
  child: ReturnType<typeof runInImage>,
): Promise<{code: number; said: string}> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return {code: code ?? -1, said}
}
