import {Deployment, StatefulSet} from 'kubernetes-models/apps/v1'
import {PodDisruptionBudget} from 'kubernetes-models/policy/v1'
import {Namespace, Secret, Service} from 'kubernetes-models/v1'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {
  type KubernetesObject,
  environmentSchema as labels,
  image,
  manifests,
  objectSchema,
  objectsIn,
  read,
  readManifest,
  unknownSettings,
} from '../support/deployed.ts'
import {unknownFields} from '../support/kubernetes-types.ts'

const server = read('src/http/server.ts')
const KINDS = {Deployment, Namespace, PodDisruptionBudget, Secret, Service, StatefulSet}
/** What Kubernetes' own schema says of it. */
function troubleOf(object: KubernetesObject): string | undefined {
  const {kind} = object
  const {[kind]: Kind} = KINDS
  try {
    new Kind(object as never).validate()
    return undefined
  } catch (error) {
    return `${kind}: ${error instanceof Error ? error.message : String(error)}`
  }
}

const podSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.looseObject({matchLabels: labels}),
    template: z.looseObject({
      metadata: z.looseObject({labels}),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.looseObject({
            envFrom: z.array(z.looseObject({secretRef: z.looseObject({name: z.string()})})),
            env: z.array(z.looseObject({name: z.string(), value: z.string().optional()})),
            ports: z.tuple([z.looseObject({name: z.string(), containerPort: z.number()})]),
            lifecycle: z
              .object({
                preStop: z.object({
                  exec: z.object({command: z.tuple([z.literal('sleep'), z.string()])}),
                }),
              })
              .optional(),
            volumeMounts: z.array(z.looseObject({mountPath: z.string()})).optional(),
          }),
        ]),
      }),
    }),
  }),
})

describe('the manifests of Kubernetes', () => {
  test('are as its schemas say, and have no field that it does not know', () => {
    const objects = manifests.flatMap(objectsIn)
    expect(objects.length).toBeGreaterThan(7)
    expect(objects.flatMap((object) => troubleOf(object) ?? [])).toEqual([])
    expect(unknownFields(objects)).toEqual([])
    // The judges see what they are there for.
    const [wrong] = objectsIn('bosun.yaml').filter(({kind}) => kind === 'StatefulSet')
    const text = JSON.stringify(wrong)
    const misspelt = objectSchema.parse(JSON.parse(text.replace('livenessProbe', 'livenesProbe')))
    expect(unknownFields([misspelt])).toEqual([expect.stringContaining('livenesProbe')])
    const mistyped = objectSchema.parse(
      JSON.parse(text.replace('"replicas":1', '"replicas":"one"')),
    )
    expect(troubleOf(mistyped)).toContain('replicas must be integer')
  })

  test('probe what the bot answers, and restart nothing that a restart does not mend', () => {
    for (const [, kind = '', path = ''] of manifests
      .map(readManifest)
      .join('\n')
      .matchAll(/(\w+)Probe:\s+httpGet: \{path: (\S+), port: http\}/g)) {
      expect([kind, path]).toEqual([kind, kind === 'readiness' ? '/readyz' : '/livez'])
      expect(server).toContain(`'${path}'`)
    }
  })

  test.each(['bosun.yaml', 'several.yaml'])('%s fits together, and the image', (file) => {
    const objects = objectsIn(file)
    const of = (kind: KubernetesObject['kind']) => objects.find((object) => object.kind === kind)
    const {spec} = podSchema.parse(of('StatefulSet') ?? of('Deployment'))
    const {template} = spec
    const [container] = template.spec.containers
    const [namespace, ...more] = new Set(
      objects.map((it) => it.metadata.namespace ?? it.metadata.name),
    )
    expect([namespace, more]).toEqual(['bosun', []])
    expect(template.metadata.labels).toEqual(spec.selector.matchLabels)
    expect(of('Service')?.['spec']).toMatchObject({
      ...{selector: spec.selector.matchLabels, ports: [{port: image.port, targetPort: 'http'}]},
    })
    expect(container.ports).toEqual([{name: 'http', containerPort: image.port}])
    const secret = objectsIn('secret.yaml')[0]
    expect(container.envFrom.map(({secretRef}) => secretRef.name)).toEqual([secret?.metadata.name])
    const given = Object.fromEntries(container.env.map(({name, value}) => [name, value]))
    const inSecret = Object.keys(labels.parse(secret?.['stringData']))
    expect(unknownSettings([...Object.keys(given), ...inSecret])).toEqual([])
    expect(given['PORT']).toBe(String(image.port))
    const isFile = file === 'bosun.yaml'
    // Whoever sends learns a while later that the pod goes, and then sends to another one.
    const waitsS = Number(container.lifecycle?.preStop.exec.command[1] ?? 0)
    expect(waitsS).toBe(isFile ? 0 : 5)
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(12 + waitsS)
    expect(spec.replicas).toBe(isFile ? 1 : 3)
    expect(container.volumeMounts?.map(({mountPath}) => mountPath)).toEqual(
      isFile ? [image.volume] : undefined,
    )
    expect(given['DATABASE_URL']).toBe(isFile ? image.environment['DATABASE_URL'] : undefined)
  })
})
