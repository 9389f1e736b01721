/** Chance that a standard normal value is at most `x`. Exact to about 1e-15. */
export function normalCdf(x: number): number {
  return x < 0 ? upperTail(-x) : 1 - upperTail(x);
}

/** Chance of a value above `x >= 0`: a series near the middle, a continued fraction in the tail. */
function upperTail(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 3) {
    let fraction = 0;
    for (let n = 120; n > 0; n--) fraction = n / (x + fraction);
    return density / (x + fraction);
  }
  let term = x;
  let sum = x;
  for (let n = 3; Math.abs(term) > 1e-18; n += 2) {
    term *= (x * x) / n;
    sum += term;
    if (term === 0) break;
  }
  return 0.5 - density * sum;
}

/** The value that a standard normal stays below with chance `p`, `0 < p < 1`. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`no quantile at ${p}`);
  let low = -40;
  let high = 40;
  // Bisection to a start that Newton's steps cannot leave, since the density there is not flat.
  for (let n = 0; n < 30; n++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  let x = (low + high) / 2;
  for (let n = 0; n < 3; n++) {
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    if (density > 0) x -= (normalCdf(x) - p) / density;
  }
  return x;
}
