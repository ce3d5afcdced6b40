import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {parseAllDocuments} from 'yaml'
import {z} from 'zod'
import {SETTINGS} from '../../src/config/reader.ts'
import {readRecipe} from './image.ts'

/** What is deployed, as the files of the repository say it. */

const ROOT = join(import.meta.dirname, '..', '..')

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
export const image = readRecipe(read('Dockerfile'))

/** Settings that are not Bosun's: of Node, of PostgreSQL's client, and of a compose file itself. */
const OTHERS = ['NODE_ENV', 'PGPASSWORD', 'BOSUN_DB_PASSWORD']

export function unknownSettings(names: readonly string[]): string[] {
  return names.filter((name) => !(name in SETTINGS) && !OTHERS.includes(name))
}

export const environmentSchema = z.record(z.string(), z.string())
const serviceSchema = z.strictObject({
  build: z.literal('.').optional(),
  image: z
    .string()
    .regex(/^[a-z]+:\d+$/, {error: 'names no version'})
    .optional(),
  env_file: z.literal('.env').optional(),
  environment: environmentSchema.optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(?::ro)?$/)).optional(),
  healthcheck: z
    .strictObject({test: z.array(z.string()), interval: z.string(), retries: z.number()})
    .optional(),
  depends_on: z
    .union([
      z.array(z.string()),
      z.record(z.string(), z.strictObject({condition: z.literal('service_healthy')})),
    ])
    .optional(),
  restart: z.literal('unless-stopped').optional(),
  logging: z
    .strictObject({options: z.strictObject({'max-size': z.string(), 'max-file': z.string()})})
    .optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  read_only: z.literal(true).optional(),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]).optional(),
})
export const composeSchema = z.strictObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
})

export const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.enum([
    'Deployment',
    'Namespace',
    'PodDisruptionBudget',
    'Secret',
    'Service',
    'StatefulSet',
  ]),
  metadata: z.looseObject({name: z.string(), namespace: z.string().optional()}),
})
export type KubernetesObject = z.infer<typeof objectSchema>

/** Of Kubernetes. */
const FOLDER = 'deploy/kubernetes'
export const manifests = readdirSync(join(ROOT, FOLDER))

export function objectsIn(file: string): KubernetesObject[] {
  const documents = parseAllDocuments(readManifest(file))
  if ('empty' in documents) return []
  return documents.map((document) => objectSchema.parse(document.toJS()))
}

export function readManifest(file: string): string {
  return read(join(FOLDER, file))
}
