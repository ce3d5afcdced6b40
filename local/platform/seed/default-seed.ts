import type {SeedInput} from './seed.ts'

/** A small shop's organization in which every rule of the API can be met. */
export const defaultSeed: SeedInput = {
  organizationId: 'org_acme',
  users: [
    {id: 'user_jane', email: 'jane@acme.test', firstName: 'Jane', lastName: 'Doe'},
    {id: 'user_kim', email: 'kim@acme.test', firstName: 'Kim', lastName: 'Lee'},
    {id: 'user_sam', email: 'sam@acme.test', firstName: 'Sam', lastName: 'Okafor'},
    {id: 'user_alex', email: 'alex@acme.test', firstName: 'Alex', lastName: 'Gone', active: false},
  ],
  projects: [
    {
      id: 'project_web',
      name: 'web',
      description: 'The shop in the browser',
      code: 'WEB',
      repos: [{repoFullName: 'acme/web', baseBranch: 'main'}],
    },
    {
      id: 'project_api',
      name: 'api',
      description: 'Orders, payments and stock',
      code: 'API',
      repos: [{repoFullName: 'acme/api', baseBranch: 'main'}],
    },
  ],
  keys: {
    human: {kind: 'human', userId: 'user_jane'},
    readWrite: {kind: 'service', name: 'Acme Bot', role: 'read_write'},
    readOnly: {kind: 'service', name: 'Acme Reader', role: 'read_only'},
    scoped: {
      kind: 'service',
      name: 'Acme Web Bot',
      role: 'read_write',
      projectIds: ['project_web'],
    },
    admin: {kind: 'service', name: 'Acme Admin', role: 'admin'},
    kim: {kind: 'human', userId: 'user_kim'},
  },
  repositories: [
    {
      fullName: 'acme/web',
      codehostRepoId: 4711,
      billingTransfer: {billingOrgId: 'org_agency', fromOrgId: 'org_agency', toOrgId: 'org_acme'},
    },
    {fullName: 'acme/api', codehostRepoId: 4712},
    {fullName: 'acme/attic', codehostRepoId: 4713, covered: false},
  ],
  pullRequests: [
    {
      repo: 'acme/web',
      number: 12,
      title: 'Round prices once',
      headSha: '8f14e45fceea167a5a36dedd4bea2543c3f0a1b2',
      baseSha: '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0aa',
    },
    {
      repo: 'acme/web',
      number: 13,
      title: 'Try another cart',
      state: 'draft',
      headSha: 'c9f0f895fb98ab9159f51fd0297e236d5e8b1c2d',
      baseSha: '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0aa',
    },
    {
      repo: 'acme/web',
      number: 14,
      title: 'Remove the old cart',
      state: 'closed',
      headSha: '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0ab',
      baseSha: '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0aa',
    },
    {
      repo: 'acme/web',
      number: 15,
      title: 'Behind a wall',
      readable: false,
      headSha: 'd3d9446802a44259755d38e6d163e820a1b2c3d4',
      baseSha: '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0aa',
    },
    {
      repo: 'acme/api',
      number: 7,
      title: 'Lock rows in one order',
      headSha: '6512bd43d9caa6e02c990b0a82652dca11223344',
      baseSha: 'c20ad4d76fe97759aa27a0c99bff671055667788',
    },
  ],
  folders: [
    {id: 'folder_checkout', name: 'Checkout'},
    {id: 'folder_later', name: 'Later'},
  ],
  personalThreads: [{id: 'thread_personal', authorId: 'user_kim', title: 'Notes to myself'}],
  reviewFilters: [
    {
      id: 'filter_wip',
      repo: 'acme/web',
      conditions: [{field: 'label', not: true, values: ['wip']}],
      createdByUserId: 'user_kim',
    },
    {
      id: 'filter_docs',
      repo: 'acme/api',
      conditions: [{field: 'label', values: ['docs']}],
      createdByUserId: 'user_jane',
    },
  ],
  models: [
    {modelId: 'standard', name: 'Standard', billingLabel: 'Included'},
    {modelId: 'swift', name: 'Swift', billingLabel: 'Included'},
    {
      modelId: 'own-subscription',
      name: 'Own subscription',
      billingLabel: 'Your subscription',
      refused: {
        rejection: 'not_connected',
        health: {
          state: 'not_connected',
          kind: 'subscription',
          provider: 'example',
          action: 'connect',
        },
      },
    },
  ],
  unavailableFeatures: ['captain_image'],
}
