// Which plurals the browser knows of each language that is named.

const known = (language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories;
console.log(JSON.stringify(Object.fromEntries(process.argv.slice(2).map((one) => [one, known(one)]))));
