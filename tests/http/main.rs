//! Tests of the REST interface against its contract, in process. The folders mirror the URLs.

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod conditions;
#[cfg(test)]
mod coverage;
#[cfg(test)]
mod credentials;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod faults_of_bodies;
#[cfg(test)]
mod formalize;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod general;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod identity;
#[cfg(test)]
mod isolation;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod order_of_checks;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod paging;
#[cfg(test)]
mod relay;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod strictness;
#[cfg(test)]
mod support;
