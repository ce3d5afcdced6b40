import fc from 'fast-check'

/** The gate tries the same cases everywhere; `SEED=…` before the command hunts among others. */
fc.configureGlobal({seed: Number(process.env['SEED'] ?? 1)})
